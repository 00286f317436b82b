package pages

import (
	_ "embed"
	"html"
	"net/http"
	"strings"

	"github.com/elyra-go/elyra/window"
)

var (
	// questionPage is the window of a question. The words in it that begin with a dollar sign are put in.
	//
	//go:embed question.html
	questionPage string
	//go:embed question.js
	questionScript string
)

// QuestionPath is what the window of a question shows.
const QuestionPath = Prefix + "question"

// questionPolicy keeps everything out of the window of a question but its own script and look.
const questionPolicy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// question is what a window asks its user.
type question struct {
	asked  window.Question
	ready  func(takesInput bool)
	answer func(accepted bool)
}

// OpenQuestion makes the window of a question known, before it loads. It shows nothing of the app and is told nothing of
// the app's pages, which cannot reach it either: its number is not theirs. ready hears each time that the window begins
// or ceases to take input, answer what the user says. Both may be called more than once and from any goroutine.
func (s *Server) OpenQuestion(number uint, q window.Question, ready, answer func(bool)) {
	s.add(number, &page{question: &question{asked: q, ready: ready, answer: answer}})
}

func (q *question) serve(what string, w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + what {
	case "GET question":
		w.Header().Set("Content-Security-Policy", questionPolicy)
		respond(w, "text/html; charset=utf-8", strings.NewReplacer(
			"$title", html.EscapeString(q.asked.Title),
			"$text", html.EscapeString(q.asked.Text),
			"$accept", html.EscapeString(q.asked.Accept),
			"$refuse", html.EscapeString(q.asked.Refuse),
			"$script", Prefix+"question.js",
		).Replace(questionPage))
	case "GET question.js":
		respond(w, "text/javascript; charset=utf-8", questionScript)
	case "POST ready", "POST deaf":
		refuse(w, http.StatusNoContent)
		q.ready(what == "ready")
	case "POST accept", "POST refuse":
		refuse(w, http.StatusNoContent)
		q.answer(what == "accept")
	default:
		refuse(w, http.StatusNotFound)
	}
}
