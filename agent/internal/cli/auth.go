package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/internal/terminal"
)

// authCommands are about the keys of model vendors.
type authCommands struct {
	Set    authSetCommand    `cmd:"" help:"Store the key of a vendor, which is read from standard input or asked for."`
	Remove authRemoveCommand `cmd:"" help:"Forget the key of a vendor."`
	List   authListCommand   `cmd:"" help:"Show which vendors there are keys for, and where from."`
}

type authSetCommand struct {
	projectFlags

	Vendor string `arg:"" help:"Name of the vendor, such as anthropic or openai."`
}

func (c *authSetCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	if _, err := s.vendors().Vendor(c.Vendor); err != nil {
		return err
	}
	key, err := r.secret("Key of " + c.Vendor + ": ")
	if err != nil {
		return err
	}
	if err := s.Keys.Put(r.ctx, c.Vendor, key); err != nil {
		return err
	}
	fmt.Fprintf(r.Stdout, "stored the key of %s in %s\n", terminal.Visible(c.Vendor), terminal.Visible(s.Home.Path("auth.json")))
	return nil
}

// secret reads a line from standard input, where it does not end up in the history of a shell, or from the terminal.
func (r *run) secret(prompt string) (string, error) {
	if isTerminal(r.Stdin) {
		return r.asker().Line(r.ctx, prompt)
	}
	line, err := bufio.NewReader(io.LimitReader(r.Stdin, 64<<10)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read the key from standard input: %w", err)
	}
	if line = strings.TrimSpace(line); line == "" {
		return "", usageError("there is no key on standard input")
	}
	return line, nil
}

type authRemoveCommand struct {
	projectFlags

	Vendor string `arg:"" help:"Name of the vendor."`
}

func (c *authRemoveCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	if err := s.Keys.Remove(r.ctx, c.Vendor); err != nil {
		return err
	}
	fmt.Fprintf(r.Stdout, "forgot the key of %s\n", terminal.Visible(c.Vendor))
	return nil
}

type authListCommand struct{ projectFlags }

func (c *authListCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	for _, v := range s.vendors().Vendors() {
		_, from, err := s.Keys.Find(v.ID, v.KeyVariable)
		if err != nil {
			return err
		}
		if from != "" {
			fmt.Fprintf(r.Stdout, "%s: %s\n", terminal.Visible(v.ID), terminal.Visible(from))
		}
	}
	return nil
}

// vendors is the catalogue of models with what the settings add.
func (s *session) vendors() *model.Catalog { return model.NewCatalog(s.Overrides()) }
