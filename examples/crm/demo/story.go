package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// story is what the scripted agent does. Each step checks what came back: the demo fails when the
// app does not behave as told.
type story struct {
	binary  string
	watched bool // there is a window
	pause   time.Duration
	paused  time.Duration

	agent  *mcpclient.Client
	answer string // how the user answers the next confirmation
	asked  string // the latest confirmation
	steps  int
}

func (s *story) tell(ctx context.Context) error {
	began := time.Now()
	agent, err := s.connect(ctx, "Demo agent", s.ask)
	if err != nil {
		return err
	}
	s.agent = agent
	defer agent.Close()
	s.step("An MCP client starts `crm --mcp` and discovers it")
	s.say("%s, protocol %s, answered %d ms after the start", agent.Server().Title, agent.Version(), time.Since(began).Milliseconds())

	for _, part := range []func(context.Context) error{s.listTools, s.addCustomer, s.beCorrected, s.readList, s.deleteAsked} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) listTools(ctx context.Context) error {
	s.step("It lists the tools")
	tools, err := s.agent.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		s.say("%-18s %s", t.Name, t.Title)
	}
	if len(tools) != 10 {
		return fmt.Errorf("the CRM has %d tools; want 10", len(tools))
	}
	return nil
}

func (s *story) addCustomer(ctx context.Context) error {
	if s.watched {
		s.step(`"Add Ada Lovelace, please." The row appears in the open window`)
	} else {
		s.step(`"Add Ada Lovelace, please."`)
	}
	email := time.Now().Format("ada.0102-150405@example.com")
	_, err := s.ok(ctx, "customers_store", map[string]any{"input": map[string]any{"name": "Ada Lovelace", "email": email, "company": "Analytical Engines"}})
	return err
}

func (s *story) beCorrected(ctx context.Context) error {
	s.step("It makes a mistake, is told what is wrong, and corrects itself")
	charles := map[string]any{"name": "Charles Babbage", "email": "charles at example"}
	if err := s.refused(ctx, "customers_store", map[string]any{"input": charles}, "input.email"); err != nil {
		return err
	}
	charles["email"] = time.Now().Format("charles.0102-150405@example.com")
	_, err := s.ok(ctx, "customers_store", map[string]any{"input": charles})
	return err
}

func (s *story) readList(ctx context.Context) error {
	s.step("It reads the list")
	page, err := s.ok(ctx, "customers_index", map[string]any{"query": map[string]any{"search": "Ada Lovelace", "perPage": 1}})
	if err != nil {
		return err
	}
	if earlier := page.Total - 1; earlier > 0 {
		s.say("%d of these were added by earlier runs: the file is still the same", earlier)
	}
	return nil
}

func (s *story) deleteAsked(ctx context.Context) error {
	page, err := s.call(ctx, s.agent, "customers_index", map[string]any{"query": map[string]any{"search": "Charles Babbage", "perPage": 1}})
	if err != nil {
		return err
	}
	var found struct{ Items []struct{ ID int64 } }
	if err := json.Unmarshal([]byte(text(page)), &found); err != nil || len(found.Items) != 1 {
		return fmt.Errorf("find the customer to delete: %s: %w", text(page), err)
	}
	id := map[string]any{"id": found.Items[0].ID}

	s.step("It wants to delete Charles Babbage; a client that cannot ask its user is refused")
	mute, err := s.connect(ctx, "Agent without a user", nil)
	if err != nil {
		return err
	}
	_, err = s.call(ctx, mute, "customers_destroy", id)
	refused, ok := errors.AsType[*mcp.Error](err)
	mute.Close()
	if !ok {
		return fmt.Errorf("the delete was not refused: %w", err)
	}
	s.say("✗ %s", refused.Message)

	s.step("A client that can ask does, and the user declines")
	s.answer = "decline"
	if err := s.refused(ctx, "customers_destroy", id, "declined"); err != nil {
		return err
	}
	s.step("It asks once more, and the user accepts")
	s.answer = "accept"
	if _, err := s.ok(ctx, "customers_destroy", id); err != nil {
		return err
	}
	return s.refused(ctx, "customers_show", id, "no customer")
}

// connect starts the CRM as an MCP client does.
func (s *story) connect(ctx context.Context, name string, ask func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error)) (*mcpclient.Client, error) {
	command := mcpclient.Command(func() *exec.Cmd { return exec.Command(s.binary, "--mcp") }, mcpclient.CommandOptions{})
	return mcpclient.Connect(ctx, command, mcpclient.Options{Info: mcp.Implementation{Name: name, Version: "1"}, Elicit: ask})
}

// ask shows the confirmation as the agent's user would see it, and answers it.
func (s *story) ask(_ context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
	for line := range strings.Lines(p.Message) {
		if line = strings.TrimSpace(line); line != "" {
			s.say("? %s", line)
		}
	}
	s.rest()
	s.say("  The user answers: %s", s.answer)
	s.asked = p.Message
	return mcp.ElicitResult{Action: s.answer}, nil
}

// page is what the steps read of a list's result.
type page struct{ Total int }

// ok makes a call that must succeed.
func (s *story) ok(ctx context.Context, tool string, args map[string]any) (page, error) {
	s.say("→ %s %s", tool, compact(args))
	began := time.Now()
	result, err := s.call(ctx, s.agent, tool, args)
	if err != nil {
		return page{}, err
	}
	if result.IsError {
		return page{}, fmt.Errorf("%s failed: %s", tool, text(result))
	}
	s.say("✓ %s  (%.1f ms)", clip(text(result), 150), float64(time.Since(began).Microseconds())/1000)
	var p page
	json.Unmarshal([]byte(text(result)), &p) // results without a total leave it 0
	s.rest()
	return p, nil
}

// refused makes a call that must fail with a message that contains want.
func (s *story) refused(ctx context.Context, tool string, args map[string]any, want string) error {
	s.say("→ %s %s", tool, compact(args))
	result, err := s.call(ctx, s.agent, tool, args)
	if err != nil {
		return err
	}
	if !result.IsError || !strings.Contains(text(result), want) {
		return fmt.Errorf("%s: want an error with %q, got %s", tool, want, text(result))
	}
	s.say("✗ %s", strings.ReplaceAll(text(result), "\n", "\n     "))
	s.rest()
	return nil
}

func (s *story) call(ctx context.Context, c *mcpclient.Client, tool string, args map[string]any) (*mcp.CallToolResult, error) {
	result, err := c.CallTool(ctx, tool, args, mcpclient.CallOptions{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	return result, nil
}

func (s *story) step(title string) {
	s.steps++
	fmt.Printf("%d. %s\n", s.steps, title)
}

func (s *story) say(format string, args ...any) { fmt.Printf("   "+format+"\n", args...) }

// rest gives whoever watches the window time to see what changed.
func (s *story) rest() {
	time.Sleep(s.pause)
	s.paused += s.pause
}

func text(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

func compact(args map[string]any) string {
	b, err := json.Marshal(args)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
