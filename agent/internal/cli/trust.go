package cli

import (
	"fmt"

	"github.com/elyra-go/elyra/internal/terminal"
)

type trustCommand struct {
	projectFlags

	Yes    bool `short:"y" help:"Trust the project without a question."`
	Revoke bool `help:"Trust the project no longer."`
}

func (c *trustCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	if c.Revoke {
		if err := s.Trust.Revoke(r.ctx, s.Project); err != nil {
			return err
		}
		fmt.Fprintf(r.Stdout, "%s is not trusted any more\n", terminal.Visible(s.Project))
		return nil
	}
	status, err := s.Trust.Check(s.Project)
	if err != nil {
		return err
	}
	if len(status.Defines) == 0 {
		fmt.Fprintf(r.Stdout, "%s defines nothing that needs trust\n", terminal.Visible(s.Project))
		return nil
	}
	fmt.Fprintf(r.Stdout, "The files of %s define:\n", terminal.Visible(s.Project))
	for _, line := range status.Defines {
		fmt.Fprintf(r.Stdout, "  %s\n", terminal.Visible(line))
	}
	for _, line := range status.Changed {
		fmt.Fprintf(r.Stdout, "  changed since it was trusted: %s\n", terminal.Visible(line))
	}
	if status.Trusted {
		fmt.Fprintln(r.Stdout, "It is trusted.")
		return nil
	}
	yes := c.Yes
	if !yes {
		if yes, err = r.asker().Confirm(r.ctx, "Trust it? Its servers run on this machine, as you. [y/N] "); err != nil {
			return fmt.Errorf("%w; elyra trust --yes trusts it without a question", err)
		}
	}
	if !yes {
		return &exitError{code: exitFailed}
	}
	if err := s.Trust.Trust(r.ctx, status); err != nil {
		return err
	}
	fmt.Fprintln(r.Stdout, "It is trusted now. When what its files define changes, you are asked again.")
	return nil
}
