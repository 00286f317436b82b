package cli

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elyra-go/elyra/internal/mcpclient"
)

// connect starts the one server of a configuration file as a client does, in the root folder and with
// hardly an environment, and writes the names of its tools to a file.
func connect(ts *testscript.TestScript, config, file string) {
	var c struct {
		Servers map[string]struct {
			Command string            `json:"command"`
			Args    []string          `json:"args"`
			Env     map[string]string `json:"env"`
		} `json:"mcpServers"`
	}
	ts.Check(json.Unmarshal([]byte(config), &c))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, server := range c.Servers {
		transport := mcpclient.Command(func() *exec.Cmd {
			cmd := exec.Command(server.Command, server.Args...)
			cmd.Dir = "/"
			cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "USERPROFILE=" + ts.Getenv("HOME"), "PATH=" + ts.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
			for name, value := range server.Env {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			return cmd
		}, mcpclient.CommandOptions{})
		client, err := mcpclient.Connect(ctx, transport, mcpclient.Options{})
		ts.Check(err)
		tools, err := client.ListTools(ctx)
		ts.Check(err)
		var names strings.Builder
		for _, tool := range tools {
			names.WriteString(tool.Name + "\n")
		}
		ts.Check(client.Close())
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(names.String()), 0o600))
	}
}
