package shim

import (
	"github.com/elyra-go/elyra/internal/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// The answers to requests that were lost with the app.
const (
	lostMessage   = "the app stopped; it is not known whether this ran"
	listenMessage = "the app stopped; this subscription has ended"
)

// answerLost answers what nobody else will answer any more. Requests that only open a conversation are
// kept for the next server, unless there will be none.
func (s *session) answerLost(last bool) {
	unanswered, questions := s.flights.lost()
	s.resend = nil
	for _, fl := range unanswered {
		if fl.line != nil && !last {
			s.resend = append(s.resend, fl)
			continue
		}
		message := lostMessage
		if fl.method == "subscriptions/listen" {
			message = listenMessage
		}
		e := wire.Errorf(wire.CodeInternal, "%s", message)
		s.out.write(append(wire.AppendError(nil, jsontext.Value(fl.id), e), '\n'), false)
	}
	for _, id := range questions {
		params := `{"requestId":` + id + `,"reason":"the app stopped"}`
		line := wire.AppendRequest(nil, nil, "notifications/cancelled", jsontext.Value(params))
		s.out.write(append(line, '\n'), false)
	}
	s.out.write(nil, true)
}
