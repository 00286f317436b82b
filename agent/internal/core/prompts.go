package core

import (
	"context"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// MCP is what is needed for what servers offer beside tools.
func (c *Core) MCP() mcptools.Options {
	return mcptools.Options{Host: c.Host, Results: c.Workspace.Home.Path("results"), Heard: c.heard}
}

// Say works on what the user says themselves, as Prompt does, after a command for a server's prompt has become that prompt.
func (c *Core) Say(ctx context.Context, content ...model.Block) (model.Message, error) {
	content, err := c.expand(ctx, content)
	if err != nil {
		return model.Message{}, err
	}
	return c.Prompt(ctx, content...)
}

// expand replaces what the user says by a server's prompt when it ends with a line such as "/server:prompt name=value".
func (c *Core) expand(ctx context.Context, content []model.Block) ([]model.Block, error) {
	if c.Host == nil || len(content) == 0 {
		return content, nil
	}
	said := content[len(content)-1].Text
	if !strings.HasPrefix(said, "/") || strings.Contains(said, "\n") {
		return content, nil
	}
	command, arguments, _ := strings.Cut(said[1:], " ")
	prompt, server, err := mcptools.FindPrompt(ctx, c.Host, command)
	if err != nil || !server {
		return content, err
	}
	blocks, err := prompt.Get(ctx, c.MCP(), arguments, prompt.Read(arguments))
	return append(content[:len(content)-1:len(content)-1], blocks...), err
}
