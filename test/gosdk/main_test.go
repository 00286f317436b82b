// The tests of this package hold two independent implementations against each other: the official Go SDK and ours. Its
// client drives the example app, the agent and our server, and our client drives its server, in every revision of the protocol.
package gosdk

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/internal/mcp"
)

// asPeer makes the test binary be the SDK's server on its standard streams.
const asPeer = "GOSDK_TEST_BE_THE_SERVER"

// The programs, built once for all tests: the example app, the agent, and the model for it that follows a script.
var crmBinary, agentBinary, modelBinary string

func TestMain(m *testing.M) {
	if os.Getenv(asPeer) != "" {
		if err := sdkServer(nil).Run(context.Background(), &sdk.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(withPrograms(m.Run))
}

// withPrograms builds the programs, runs the tests and removes them.
func withPrograms(run func() int) int {
	folder, err := os.MkdirTemp("", "gosdk")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	for _, p := range []struct {
		binary      *string
		module, pkg string
	}{
		{&crmBinary, "examples", "./crm"},
		{&agentBinary, "agent", "./cmd/elyra"},
		{&modelBinary, "agent", "./internal/model/modeltest/play"},
	} {
		*p.binary = filepath.Join(folder, filepath.Base(p.pkg))
		if runtime.GOOS == "windows" {
			*p.binary += ".exe"
		}
		build := exec.Command("go", "build", "-o", *p.binary, p.pkg)
		build.Dir = filepath.Join("..", "..", p.module)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", p.pkg, err, out)
			return 1
		}
	}
	return run()
}

// eachVersion runs a test in every revision that both sides speak.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	for _, version := range mcp.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			test(t, version)
		})
	}
}

// text is the text of an SDK result.
func text(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, content := range r.Content {
		if c, ok := content.(*sdk.TextContent); ok {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}
