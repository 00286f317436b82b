package edits

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxEdits bounds the edits of one call.
const maxEdits = 100

// Edit is one wish: New in the place of Old.
type Edit struct {
	Old, New string
	All      bool // every place, not the only one; these must be exact
}

// Result is a changed text.
type Result struct {
	Text  string
	Spans []Span // what was replaced, from the beginning to the end
}

// Span is one place that was replaced.
type Span struct {
	Start, End int    // in the text before
	New        string // what stands there now
	Line       int    // of Start, from 1
	Growth     int    // in lines, negative when there are fewer now
	Edit       int    // which edit, from 0
	How        string // what was tolerated, "" when the quote was exact
}

// Apply replaces what the edits quote from text; line ends in text may be \n, \r\n or both. All edits quote from the text
// as it is before, and they apply together or not at all. The error is for the model.
func Apply(text string, list []Edit) (Result, error) {
	switch {
	case len(list) == 0:
		return Result{}, errors.New("there are no edits: give at least one")
	case len(list) > maxEdits:
		return Result{}, fmt.Errorf("there are %d edits, more than %d: use several calls", len(list), maxEdits)
	}
	d := newDocument(text)
	spans, err := d.locateAll(list)
	if err == nil && d.unit != nil {
		// One quote had spaces for tabs, or the other way. So have the new texts of the others.
		spans, err = d.locateAll(list)
	}
	if err != nil {
		return Result{}, err
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	for i := 1; i < len(spans); i++ {
		if a, b := spans[i-1], spans[i]; b.Start < a.End || b.Start == a.Start {
			return Result{}, fmt.Errorf("edits %d and %d both change line %d: make one edit of them (none was applied)",
				min(a.Edit, b.Edit)+1, max(a.Edit, b.Edit)+1, b.Line)
		}
	}
	out := splice(text, spans)
	if out == text {
		return Result{}, errors.New("the edits change nothing: the text is as the new text says")
	}
	return Result{out, spans}, nil
}

// locateAll finds what all edits quote.
func (d *document) locateAll(list []Edit) ([]Span, error) {
	var spans []Span
	for i, e := range list {
		found, err := d.locate(e)
		if err != nil {
			if len(list) > 1 {
				err = fmt.Errorf("edit %d of %d: %w (none of the edits was applied)", i+1, len(list), err)
			}
			return nil, err
		}
		for _, s := range found {
			s.Edit, s.Line = i, d.lineAt(s.Start)
			s.Growth = strings.Count(s.New, "\n") - strings.Count(d.text[s.Start:s.End], "\n")
			spans = append(spans, s)
		}
	}
	return spans, nil
}

// splice puts the new texts in.
func splice(text string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString(s.New)
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}
