package session

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// version is that of the files that are written. A file of a later one is not opened.
const version = 1

// maxLine is the length of the longest line that is written or read.
const maxLine = 64 << 20

// Header is the first line of a file.
type Header struct {
	Type    string    `json:"type"` // "session"
	Version int       `json:"version"`
	ID      string    `json:"id"`
	Cwd     string    `json:"cwd"`
	Created time.Time `json:"created"`
	// Parent is the session that this one was forked from, "" for none.
	Parent string `json:"parent,omitzero"`
	// Owner is the session whose agent had this one's work for it, "" for a session of the user's own.
	Owner string `json:"owner,omitzero"`
}

// Kind says what an entry holds.
type Kind string

// The kinds of entries. Entries of other kinds are kept and mean nothing.
const (
	KindMessage    Kind = "message"    // Message
	KindModel      Kind = "model"      // Model and Level from here on
	KindCompaction Kind = "compaction" // Compaction
	KindLabel      Kind = "label"      // Text names the entry Target; "" takes the name away
	KindLeaf       Kind = "leaf"       // the conversation goes on at Parent
	KindChanges    Kind = "changes"    // Changes: files that tools are about to change
	KindChild      Kind = "child"      // the session Target is that of an agent which works on Text
	KindUndone     Kind = "undone"     // all changes from the entry Target on were taken back; Changes: what that changed
)

// Entry is one line of a session. ID, Parent, Time and Sum are set by the session that appends it.
type Entry struct {
	ID     string    `json:"id"`
	Parent string    `json:"parentId,omitzero"`
	Time   time.Time `json:"time"`
	Kind   Kind      `json:"kind"`
	Sum    Sum       `json:"sum,omitzero"`

	Model      string         `json:"model,omitzero"` // provider/id
	Level      model.Level    `json:"level,omitzero"`
	Target     string         `json:"target,omitzero"`
	Text       string         `json:"text,omitzero"`
	Compaction *Compaction    `json:"compaction,omitzero"`
	Changes    []Change       `json:"changes,omitzero"`
	Message    *model.Message `json:"message,omitzero"`
}

// Sum is what the whole file comes to with an entry. It lets a list of sessions read the ends of files only.
type Sum struct {
	Messages int         `json:"messages"`
	Cost     float64     `json:"cost"` // US dollars
	Model    string      `json:"model,omitzero"`
	Level    model.Level `json:"level,omitzero"`
	Usage    model.Usage `json:"usage"`
}

// Compaction replaces what was said before the entry Keep by a summary. With Keep "" it replaces all.
type Compaction struct {
	Summary string      `json:"summary"`
	Keep    string      `json:"keep,omitzero"`
	Usage   model.Usage `json:"usage,omitzero"` // of the request for the summary
	Cost    float64     `json:"cost,omitzero"`  // US dollars
}

// Change is a file that was changed. Before is the hash of what it held, "" if it was not there. [Session.Blob] returns that.
type Change struct {
	Path   string `json:"path"`
	Before string `json:"before,omitzero"`
}

// add counts an entry.
func (s *Sum) add(e Entry) {
	switch {
	case e.Kind == KindModel:
		s.Model, s.Level = e.Model, e.Level
	case e.Kind == KindMessage && e.Message != nil:
		m := e.Message
		s.Messages++
		s.Cost += m.Cost
		if m.Model != "" {
			s.Model = m.Model
		}
		if m.Usage != nil {
			s.Usage = s.Usage.Plus(*m.Usage)
		}
	case e.Kind == KindCompaction && e.Compaction != nil:
		s.Cost += e.Compaction.Cost
		s.Usage = s.Usage.Plus(e.Compaction.Usage)
	}
}

// lenient reads and writes what is no UTF-8 with U+FFFD in its place: a session must not become unreadable by its texts.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// line returns a value as a line of a file.
func line(v any) ([]byte, error) {
	text, err := json.Marshal(v, lenient, json.Deterministic(true))
	if err == nil && len(text) >= maxLine {
		err = fmt.Errorf("the entry has %d MB, and a session takes %d MB at most", len(text)>>20, maxLine>>20)
	}
	return append(text, '\n'), err
}

// storable returns a message that can be written: calls whose arguments are no JSON are broken ones, a cost is a number.
func storable(m model.Message) model.Message {
	if math.IsNaN(m.Cost) || math.IsInf(m.Cost, 0) {
		m.Cost = 0
	}
	m.Content = slices.Clone(m.Content)
	for i, b := range m.Content {
		if b.Call == nil || b.Call.Arguments == nil || b.Call.Arguments.IsValid(lenient) {
			continue
		}
		call := *b.Call
		call.Raw, call.Arguments = string(call.Arguments), nil
		if call.Broken == "" {
			call.Broken = "its arguments are no JSON"
		}
		m.Content[i].Call = &call
	}
	return m
}

// decodeHeader reads the first line.
func decodeHeader(text []byte) (Header, bool) {
	var h Header
	err := json.Unmarshal(text, &h, lenient)
	return h, err == nil && h.Type == "session" && h.ID != ""
}

// decodeEntry reads a line that is no header.
func decodeEntry(text []byte) (Entry, bool) {
	if len(text) > maxLine || !bytes.HasPrefix(text, []byte("{")) {
		return Entry{}, false
	}
	var e Entry
	err := json.Unmarshal(text, &e, lenient)
	ok := err == nil && e.ID != "" && e.Kind != "" && (e.Kind != KindMessage || e.Message != nil) &&
		(e.Kind != KindCompaction || e.Compaction != nil)
	return e, ok
}

// validID reports whether a text can be an id that is a part of a file's name.
func validID(id string) bool {
	return id != "" && len(id) <= 64 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") == ""
}
