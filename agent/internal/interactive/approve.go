package interactive

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/tui"
)

// approve asks whether a call may run.
func (d *desk) approve(ctx context.Context, q permission.Question) (permission.Answer, error) {
	question := tui.Question{Title: q.Title, Diff: q.Diff}
	if q.Warning != "" {
		question.Lines = append(question.Lines, "Careful: "+q.Warning)
	}
	if q.Command != "" {
		question.Lines = append(question.Lines, "$ "+q.Command)
	}
	question.Lines = append(question.Lines, q.Lines...)
	for _, c := range q.Choices {
		question.Choices = append(question.Choices, words(c, q))
	}
	i, err := d.ui.Ask(ctx, question)
	switch {
	case errors.Is(err, tui.ErrDismissed):
		return permission.Answer{Choice: permission.Stop}, nil
	case err != nil:
		return permission.Answer{}, err
	}
	return permission.Answer{Choice: q.Choices[i]}, nil
}

// words say what a choice does.
func words(c permission.Choice, q permission.Question) string {
	var rules []string
	for _, r := range q.Rules {
		rules = append(rules, r.String())
	}
	what := strings.Join(rules, ", ")
	if q.Kind == permission.MCP {
		what = "this tool as it is now"
	}
	switch c {
	case permission.Once:
		return "Yes, once"
	case permission.Session:
		return "Yes, for this session: " + what
	case permission.Forever:
		return "Yes, always: " + what
	case permission.Stop:
		return "No, and tell the agent what to do instead"
	}
	return "No, go on without it"
}

// offer asks whether to log in to an MCP server whose call needs it.
func (d *desk) offer(ctx context.Context, server string, scopes []string) (oauth.LoginOptions, bool) {
	q := tui.Question{
		Title:   fmt.Sprintf("MCP server %q needs a login", server),
		Choices: []string{"Log in now, in the browser", "Log in now, with a browser on another machine", "Not now"},
	}
	if len(scopes) > 0 {
		q.Lines = []string{"It is for " + strings.Join(scopes, ", ")}
	}
	i, err := d.ui.Ask(ctx, q)
	return d.loginOptions(i == 1), err == nil && i < 2
}

// loginOptions bring a login to the user.
func (d *desk) loginOptions(noBrowser bool) oauth.LoginOptions {
	return oauth.LoginOptions{
		Open: d.o.Browse, NoBrowser: noBrowser,
		Show: func(host, issuer, address string) {
			d.ui.Notice(fmt.Sprintf("Log in at %s (for %s):", host, issuer))
			d.ui.Notice(address)
		},
		Paste: func(ctx context.Context, problem string) (string, error) {
			prompt := "Open the address above, and paste the one that the browser ended at, also when it shows an error there.\n> "
			if problem != "" {
				prompt = problem + "\n" + prompt
			}
			line, err := d.ui.Line(ctx, prompt)
			if errors.Is(err, tui.ErrDismissed) {
				err = oauth.ErrGivenUp
			}
			return line, err
		},
		Client: func(ctx context.Context, issuer, redirect string) (id, secret string, err error) {
			prompt := fmt.Sprintf("%s registers no clients by itself. Register one there with the redirect address %s.\nClient id: ", issuer, redirect)
			if id, err = d.ui.Line(ctx, prompt); err == nil {
				secret, err = d.ui.Line(ctx, "The client's secret, or an empty line if there is none.\nClient secret: ")
			}
			return id, secret, err
		},
	}
}
