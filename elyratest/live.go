package elyratest

import (
	"time"

	"github.com/elyra-go/elyra"
)

// updateTimeout is how long Next waits for an update before it fails the test.
const updateTimeout = 10 * time.Second

// Live is a subscription to a live command.
type Live struct {
	app   *App
	name  string
	query *elyra.LiveQuery
	value string
}

// Live subscribes to a live command and waits for its first result. The test's end closes the
// subscription.
func (a *App) Live(command string, args any) *Live {
	a.t.Helper()
	q, err := a.Instance.Live(elyra.Internal{}, command, a.encode(args))
	if err != nil {
		a.t.Fatalf("subscribe to %s: %v", command, err)
	}
	a.t.Cleanup(q.Close)
	l := &Live{app: a, name: command, query: q}
	l.Next()
	return l
}

// Value is the latest result that Live or Next received, as JSON.
func (l *Live) Value() string { return l.value }

// Next waits for the next result and returns it as JSON.
func (l *Live) Next() string {
	l.app.t.Helper()
	select {
	case u := <-l.query.Updates():
		if u.Err != nil {
			l.app.t.Fatalf("live %s: %v", l.name, u.Err)
		}
		l.value = string(u.Value)
	case <-time.After(updateTimeout):
		l.app.t.Fatalf("live %s: no update within %v; the last value is %s", l.name, updateTimeout, l.value)
	}
	return l.value
}

// QuietFor fails the test when an update arrives within d.
func (l *Live) QuietFor(d time.Duration) {
	l.app.t.Helper()
	select {
	case u := <-l.query.Updates():
		l.app.t.Fatalf("live %s: an update where none was due: %s %v", l.name, u.Value, u.Err)
	case <-time.After(d):
	}
}
