package cli

import (
	"io"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/elyra-go/elyra/internal/completion"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Help is what rata completion --help says besides the flags.
func (c *completionCommand) Help() string {
	return `Prints a script that the shell reads when it starts.

  source <(rata completion bash)                                   # in ~/.bashrc
  source <(rata completion zsh)                                    # in ~/.zshrc, after compinit
  rata completion fish >~/.config/fish/completions/rata.fish       # once`
}

func (c *completionCommand) Run(parsed *kong.Context, r *run) error {
	script, err := completion.Script(c.Shell, completed(parsed.Model.Node))
	if err != nil {
		return err
	}
	_, err = io.WriteString(r.Stdout, script)
	return err
}

// completed is what completion needs of a part of the grammar. Hidden parts stay so.
func completed(node *kong.Node) completion.Command {
	c := completion.Command{Name: node.Name, Help: node.Help}
	if len(node.Positional) > 0 {
		c.Values = fixed(node.Positional[0])
	}
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			c.Flags = append(c.Flags, completion.Flag{Name: f.Name, Help: f.Help, Value: !f.IsBool(), Values: fixed(f.Value)})
		}
	}
	for _, child := range node.Children {
		if !child.Hidden {
			c.Commands = append(c.Commands, completed(child))
		}
	}
	return c
}

// fixed are the values that a flag or an argument has a choice of; none when there is no such list.
func fixed(v *kong.Value) []string {
	return slices.DeleteFunc(v.EnumSlice(), func(choice string) bool { return choice == "" })
}
