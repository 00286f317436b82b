package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

const (
	maxPages     = 100      // of one list
	maxListBytes = 32 << 20 // of all pages of one list
	maxItems     = 5000     // of one list, usable or not
	maxTTL       = 30 * 24 * time.Hour
)

// Pager asks a server for one page of a list. The first page has no cursor; after that it is the server's own text, and
// an empty one counts like any other.
type Pager func(ctx context.Context, cursor *string) (jsontext.Value, error)

// list is one family that a server lists, as its pages said it.
type list struct {
	items []jsontext.Value // in the server's order
	ttl   *time.Duration   // the shortest of all pages
	note  string           // why the end was not reached, "" when it was
}

// readList follows the pages of a family until there is none, one repeats, or a bound is met. A server that does not know
// the method lists nothing.
func readList(ctx context.Context, next Pager, family string) (list, error) {
	var l list
	var cursor *string
	seen := map[string]bool{}
	size := 0
	for range maxPages {
		page, err := next(ctx, cursor)
		var refused *wire.Error
		if cursor == nil && errors.As(err, &refused) && refused.Code == wire.CodeMethodNotFound {
			return l, nil
		}
		if err == nil {
			cursor, err = l.add(page, family)
		}
		if err != nil {
			return l, fmt.Errorf("list the server's %s: %w", family, err)
		}
		if len(l.items) > maxItems {
			l.items = l.items[:maxItems]
			l.note = fmt.Sprintf("the server lists more than %d %s; the rest is not read", maxItems, family)
			return l, nil
		}
		if cursor == nil {
			return l, nil
		}
		if size += len(page); size > maxListBytes {
			l.note = fmt.Sprintf("the server's list of %s is longer than %d MB; the rest is not read", family, maxListBytes>>20)
			return l, nil
		}
		if seen[*cursor] {
			l.note = fmt.Sprintf("the server repeats a page of %s; the list ends there", family)
			return l, nil
		}
		seen[*cursor] = true
	}
	l.note = fmt.Sprintf("the server has more than %d pages of %s; the rest is not read", maxPages, family)
	return l, nil
}

// add takes the items of one page and returns the cursor of the next, nil when there is none.
func (l *list) add(page jsontext.Value, family string) (cursor *string, err error) {
	if !wire.Valid(page) || page.Kind() != '{' {
		return nil, errors.New("a page is no JSON object")
	}
	var items, next, ttl jsontext.Value
	wire.Members(page, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case family:
			items = value
		case "nextCursor":
			next = value
		case "ttlMs":
			ttl = value
		}
		return true
	})
	if items != nil && items.Kind() != 'n' {
		if err := l.addItems(items); err != nil {
			return nil, fmt.Errorf("a page's %s are no array: %w", family, err)
		}
	}
	if d, ok := milliseconds(ttl); ok && (l.ttl == nil || d < *l.ttl) {
		l.ttl = &d
	}
	if next == nil || next.Kind() == 'n' {
		return nil, nil
	}
	text, ok := wire.Text(next)
	if !ok {
		return nil, errors.New("a page's nextCursor is no string")
	}
	return &text, nil
}

// addItems takes the elements of an array, one more than allowed at most.
func (l *list) addItems(array jsontext.Value) error {
	if array.Kind() != '[' {
		return errors.New("it is something else")
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(array), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' && len(l.items) <= maxItems {
		item, err := d.ReadValue()
		if err != nil {
			return err
		}
		l.items = append(l.items, item.Clone())
	}
	return nil
}

// milliseconds reads a ttlMs. A negative one means 0; what is no number says nothing.
func milliseconds(v jsontext.Value) (time.Duration, bool) {
	if v == nil {
		return 0, false
	}
	ms, err := strconv.ParseFloat(string(v), 64)
	if err != nil || ms != ms {
		return 0, false
	}
	limit := float64(maxTTL / time.Millisecond)
	return time.Duration(min(max(ms, 0), limit)) * time.Millisecond, true
}
