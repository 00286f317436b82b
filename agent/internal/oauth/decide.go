package oauth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// defaultLoginTime is how long a browser is waited for.
	defaultLoginTime = 5 * time.Minute
	// maxPastes is how often something useless may be pasted.
	maxPastes = 5
)

// ErrGivenUp is wrapped by the error of LoginOptions.Paste when the user wants no login any more: the browser is not waited
// for either.
var ErrGivenUp = errors.New("the login was given up")

// errLate ends a login that nobody finished.
var errLate = errors.New("nothing came back from the browser in time")

// letUserDecide sends the user to the authorization server and returns the code that comes back.
func (s *Session) letUserDecide(ctx context.Context, o LoginOptions, r *receiver, a *attempt) (string, error) {
	limit := o.Timeout
	if limit <= 0 {
		limit = defaultLoginTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errLate)
	var pasting sync.WaitGroup
	defer pasting.Wait()
	defer cancel()

	var arrived <-chan answer
	if r != nil {
		r.expect(a.mine)
		arrived = r.answers
	}
	address := a.url()
	if o.Show != nil {
		o.Show(plain(a.meta.authorize.Host), plain(a.meta.Issuer), address)
	}
	problem := ""
	byHand := o.NoBrowser || o.Open == nil
	if !byHand {
		if err := o.Open(address); err != nil {
			problem, byHand = err.Error(), true
		}
	}
	pasted := make(chan answer, 1)
	failed := make(chan error, 1)
	if byHand && o.Paste != nil {
		pasting.Go(func() {
			if got, err := paste(ctx, o, a, problem); err != nil {
				failed <- err
			} else {
				pasted <- got
			}
		})
	}
	for {
		select {
		case got := <-arrived:
			return a.code(got)
		case got := <-pasted:
			return a.code(got)
		case err := <-failed:
			if r == nil || !errors.Is(err, errNoPaste) || errors.Is(err, ErrGivenUp) {
				return "", err
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// errNoPaste says that nobody can paste; the browser may still come back by itself.
var errNoPaste = errors.New("nothing was pasted")

// paste asks for an address until one belongs to the login.
func paste(ctx context.Context, o LoginOptions, a *attempt, problem string) (answer, error) {
	for range maxPastes {
		line, err := o.Paste(ctx, problem)
		if err != nil {
			return answer{}, fmt.Errorf("%w: %w", errNoPaste, err)
		}
		got, err := parsePasted(a.client.Redirect, line)
		switch {
		case err != nil:
			problem = "that is not what the browser ended up at: " + err.Error()
		case !a.mine(got):
			problem = "that belongs to another login: paste what this one ended up at"
		default:
			return got, nil
		}
	}
	return answer{}, errors.New("what was pasted was of no use, too often")
}

// parsePasted reads the address where a browser ended up, or only its query.
func parsePasted(redirect, line string) (answer, error) {
	line = strings.Trim(strings.TrimSpace(line), `"'<>`)
	line, _, _ = strings.Cut(line, "#")
	if strings.Contains(line, "://") && !strings.HasPrefix(line, "code=") && !strings.HasPrefix(line, "state=") {
		query, ok := strings.CutPrefix(line, redirect+"?")
		if !ok {
			return answer{}, fmt.Errorf("it does not begin with %s?", redirect)
		}
		line = query
	}
	return parseAnswer(strings.TrimPrefix(line, "?"))
}
