package postgres

import (
	"time"

	"github.com/elyra-go/elyra/database"
)

// Pace is how often a follower does what, for tests that cannot wait. Zero means as usual.
type Pace struct{ Poll, Heartbeat, Answer, Net time.Duration }

// Paced is the driver with another pace.
func Paced(p Pace) database.Driver {
	d := driver{usualPace()}
	for _, one := range []struct {
		to   *time.Duration
		from time.Duration
	}{{&d.pace.poll, p.Poll}, {&d.pace.heartbeat, p.Heartbeat}, {&d.pace.answer, p.Answer}, {&d.pace.net, p.Net}} {
		if one.from != 0 {
			*one.to = one.from
		}
	}
	return d
}
