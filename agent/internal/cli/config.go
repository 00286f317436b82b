package cli

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/settings"
	"github.com/elyra-go/elyra/internal/terminal"
)

// configCommands are about settings.json.
type configCommands struct {
	Get   configGetCommand   `cmd:"" help:"Print a setting, or all of them, as they are in force here."`
	Set   configSetCommand   `cmd:"" help:"Change one of your settings. Comments in the file stay."`
	Unset configUnsetCommand `cmd:"" help:"Take one of your settings out, so that it has its default again."`
}

type configGetCommand struct {
	projectFlags

	Path string `arg:"" optional:"" help:"Names of members with dots between them, such as compaction.keep."`
}

func (c *configGetCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	s.warn()
	value, err := s.Settings.Get(c.Path)
	if err != nil {
		return err
	}
	if err := value.Indent(jsontext.WithIndent("  ")); err != nil {
		return err
	}
	_, err = fmt.Fprintln(r.Stdout, terminal.Visible(string(value)))
	return err
}

type configSetCommand struct {
	projectFlags

	Path  string `arg:"" help:"Names of members with dots between them."`
	Value string `arg:"" help:"JSON, or a text as it is."`
}

func (c *configSetCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	return settings.Put(r.ctx, s.Home, c.Path, c.Value)
}

type configUnsetCommand struct {
	projectFlags

	Path string `arg:"" help:"Names of members with dots between them."`
}

func (c *configUnsetCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	return settings.Remove(r.ctx, s.Home, c.Path)
}
