package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/elyra-go/elyra/agent/internal/trust"
	"github.com/elyra-go/elyra/internal/terminal"
)

const trustQuestion = "Trust it? Its servers run on this machine, as you. [y/N] "

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
	tellDefined(r.Stdout, status)
	if status.Trusted {
		fmt.Fprintln(r.Stdout, "It is trusted.")
		return nil
	}
	yes := c.Yes
	if !yes {
		if yes, err = r.asker().Confirm(r.ctx, trustQuestion); err != nil {
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

// tellDefined says what the files of a project define, and what of it has changed since it was trusted.
func tellDefined(w io.Writer, status trust.Status) {
	fmt.Fprintf(w, "The files of %s define:\n", terminal.Visible(status.Project))
	for _, line := range status.Defines {
		fmt.Fprintf(w, "  %s\n", terminal.Visible(line))
	}
	for _, line := range status.Changed {
		fmt.Fprintf(w, "  changed since it was trusted: %s\n", terminal.Visible(line))
	}
}

// offerTrust asks whoever begins to work at a terminal in a project that is not trusted. It reports whether that changed.
func (s *session) offerTrust() (bool, error) {
	status, err := s.Trust.Check(s.Project)
	if err != nil && !errors.Is(err, trust.ErrDamaged) { // That was said when the session was opened.
		return false, err
	}
	tellDefined(s.Stderr, status)
	yes, err := s.asker().Confirm(s.ctx, trustQuestion)
	if err != nil || !yes {
		s.say("none of that is used; elyra trust trusts it later")
		return false, err
	}
	return true, s.Trust.Trust(s.ctx, status)
}
