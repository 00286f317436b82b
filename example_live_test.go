package elyra_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// Calendar tells the date in the form that the settings say. None of that is in a table.
type Calendar struct {
	now    func() time.Time
	layout atomic.Pointer[string]
}

// Today is live: it runs again at midnight, and when the settings change.
func (c *Calendar) Today(ctx context.Context, _ struct{}) (string, error) {
	elyra.Reads(ctx, "settings")
	now := c.now()
	elyra.RerunAt(ctx, time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location()))
	return now.Format(*c.layout.Load()), nil
}

// SetLayout is called by the Go code that reads the settings.
func (c *Calendar) SetLayout(app *elyra.Instance, layout string) {
	c.layout.Store(&layout)
	app.Changed("settings")
}

func TestTodayFollowsTheClockAndTheSettings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &Calendar{now: time.Now}
		iso := time.DateOnly
		c.layout.Store(&iso)
		app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
			return elyra.New().Commands(elyra.NewCommand("today", c.Today, elyra.CommandOptions{Live: true})), nil
		})
		today := app.Live("today", nil)
		first := time.Now()
		if want := `"` + first.Format(iso) + `"`; today.Value() != want {
			t.Errorf("today is %s, want %s", today.Value(), want)
		}
		c.SetLayout(app.Instance, "2 January")
		if got, want := today.Next(), `"`+first.Format("2 January")+`"`; got != want {
			t.Errorf("with another layout today is %s, want %s", got, want)
		}
		time.Sleep(24 * time.Hour)
		if got, want := today.Next(), `"`+first.AddDate(0, 0, 1).Format("2 January")+`"`; got != want {
			t.Errorf("tomorrow is %s, want %s", got, want)
		}
	})
}
