package interactive

import (
	"context"
	"fmt"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/session"
	"github.com/elyra-go/elyra/agent/internal/tui"
)

// models lets the user pick a model of the vendors that there is a key for.
func (d *desk) models() *tui.Picker {
	return &tui.Picker{
		Title: "Model",
		Items: func(context.Context) ([]tui.Item, error) {
			c := d.current()
			usable := map[string]bool{}
			for _, v := range c.Catalog.Vendors() {
				_, from, err := c.Workspace.Keys.Find(v.ID, v.KeyVariable)
				usable[v.ID] = err == nil && from != ""
			}
			var items []tui.Item
			for _, s := range c.Catalog.List() {
				if usable[s.Provider] {
					note := fmt.Sprintf("%d k tokens, $%g in, $%g out a million", s.Context/1000, s.Price.Input, s.Price.Output)
					items = append(items, tui.Item{ID: s.String(), Name: s.String(), Note: note})
				}
			}
			return items, nil
		},
		Choose: func(_ context.Context, id string) (tui.Result, error) {
			spec, err := d.current().SetModel(id, "")
			return tui.Result{Text: "Model: " + spec.String()}, err
		},
	}
}

// sessions lets the user go back to an earlier session of the project.
func (d *desk) sessions() *tui.Picker {
	return &tui.Picker{
		Title: "Session",
		Items: func(context.Context) ([]tui.Item, error) {
			w := d.current().Workspace
			list, err := session.New(w.Home, session.Options{Summary: loop.Summary}).List(w.Project)
			if err != nil {
				return nil, err
			}
			var items []tui.Item
			for _, s := range list {
				items = append(items, tui.Item{ID: s.Header.ID, Name: s.Prompt, Note: fmt.Sprintf("%s, %d messages, $%.2f", s.Changed.Format("2006-01-02 15:04"), s.Sum.Messages, s.Sum.Cost)})
			}
			return items, nil
		},
		Choose: func(ctx context.Context, id string) (tui.Result, error) { return d.to(ctx, core.Choice{ID: id}) },
	}
}
