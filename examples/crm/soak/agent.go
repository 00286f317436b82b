package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// connected is an agent's connection, and the process that it goes through.
type connected struct {
	*mcpclient.Client
	cmd atomic.Pointer[exec.Cmd]
	yes atomic.Bool // the answer to a question
}

// connect starts `app --mcp`. Apart is a folder of its own for configuration, in which no running app is found.
func (s *soak) connect(ctx context.Context, name, era string, apart bool, on func(string)) (*connected, error) {
	c := &connected{}
	transport := mcpclient.Command(func() *exec.Cmd {
		cmd := exec.Command(s.program, "--mcp")
		cmd.Env = s.environ(apart)
		c.cmd.Store(cmd)
		return cmd
	}, mcpclient.CommandOptions{})
	client, err := mcpclient.Connect(ctx, transport, mcpclient.Options{
		Info: mcp.Implementation{Name: name, Version: "1"}, Era: era,
		Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			if c.yes.Load() {
				return mcp.ElicitResult{Action: "accept", Content: []byte(`{}`)}, nil
			}
			return mcp.ElicitResult{Action: "decline"}, nil
		},
		OnNotification: func(method string, _ jsontext.Value) {
			if on != nil {
				on(method)
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: connect: %w", name, err)
	}
	c.Client = client
	return c, nil
}

// environ is the environment of a process of the app.
func (s *soak) environ(apart bool) []string {
	home := s.dir + "/home"
	if apart {
		home = s.dir + "/apart"
	}
	_ = os.MkdirAll(home, 0o700)
	return []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "DATABASE_URL=sqlite:" + s.database}
}

// Errors of a call that was made.
var (
	errUnknown  = errors.New("it is not known whether this ran")
	errDeclined = errors.New("the user declined")
)

// call calls a tool and decodes its result.
func (s *soak) call(ctx context.Context, c *connected, tool, arguments string, into any) error {
	s.calls.Add(1)
	result, err := c.CallTool(ctx, tool, jsontext.Value(arguments), mcpclient.CallOptions{})
	if err != nil {
		s.lost.Add(1)
		return errors.Join(errUnknown, err)
	}
	text := ""
	for _, part := range result.Content {
		text += part.Text
	}
	switch {
	case result.IsError && strings.Contains(text, "not known whether"):
		s.lost.Add(1)
		return errUnknown
	case result.IsError && strings.Contains(text, "declined"):
		s.declined.Add(1)
		return errDeclined
	case result.IsError:
		return fmt.Errorf("%s %s: %s", tool, arguments, text)
	case into == nil:
		return nil
	}
	// Structured results came with 2025-06-18; the text is the same.
	return json.Unmarshal([]byte(text), into)
}

// live is an agent's life: it makes customers of its own, changes and deletes some, and ends in one way or the other.
func (s *soak) live(ctx context.Context, name string, chance *rand.Rand) {
	era := ""
	if chance.IntN(2) == 0 {
		era = []string{"2025-03-26", "2025-06-18", "2025-11-25"}[chance.IntN(3)]
	}
	c, err := s.connect(ctx, "agent "+name, era, chance.IntN(4) == 0, nil)
	if err != nil {
		if ctx.Err() == nil {
			s.problem("%v", err)
		}
		return
	}
	violent := chance.IntN(3) == 0
	if violent {
		s.killed.Add(1)
		time.AfterFunc(time.Duration(50+chance.IntN(1500))*time.Millisecond, func() { _ = c.cmd.Load().Process.Kill() })
	} else {
		s.ended.Add(1)
	}
	for i := range 5 + chance.IntN(30) {
		if ctx.Err() != nil {
			break
		}
		if err := s.act(ctx, c, fmt.Sprintf("%s-%d@soak.example", name, i), era, chance); err != nil {
			if !errors.Is(err, errUnknown) && ctx.Err() == nil {
				s.problem("agent %s: %v", name, err)
			}
			break
		}
	}
	if err := c.Close(); err != nil && !violent && ctx.Err() == nil {
		s.note("agent %s ended with %v", name, err)
	}
}

// customer is what the tools say of one.
type customer struct {
	ID      int64  `json:"id"`
	Company string `json:"company"`
	Notes   string `json:"notes"`
}

// act adds a customer, and perhaps changes and deletes it. The ledger knows at any moment what may be there.
func (s *soak) act(ctx context.Context, c *connected, email, era string, chance *rand.Rand) error {
	var made customer
	s.ledger.may(email, "", "first")
	err := s.call(ctx, c, "customers_store", fmt.Sprintf(`{"input":{"name":"Somebody","email":%q,"company":"first"}}`, email), &made)
	if err != nil {
		return err
	}
	s.ledger.must(email, "first")
	if chance.IntN(2) == 0 {
		s.ledger.may(email, "first", "second")
		err := s.call(ctx, c, "customers_update", fmt.Sprintf(`{"id":%d,"input":{"name":"Somebody","email":%q,"company":"second"}}`, made.ID, email), nil)
		if err != nil {
			return err
		}
		s.ledger.must(email, "second")
		var shown customer
		if err := s.call(ctx, c, "customers_show", fmt.Sprintf(`{"id":%d}`, made.ID), &shown); err != nil {
			return err
		}
		if shown.Company != "second" {
			s.problem("%s was changed, and is shown as before", email)
		}
	}
	// Elicitation came with 2025-06-18.
	if chance.IntN(3) > 0 || era == "2025-03-26" {
		return nil
	}
	yes := chance.IntN(2) == 0
	c.yes.Store(yes)
	if yes {
		s.ledger.mayGo(email)
	}
	err = s.call(ctx, c, "customers_destroy", fmt.Sprintf(`{"id":%d}`, made.ID), nil)
	switch {
	case err == nil && !yes:
		s.problem("%s was deleted although the user declined", email)
	case err == nil:
		s.ledger.must(email, "")
	case errors.Is(err, errDeclined) && !yes:
		return nil
	}
	return err
}
