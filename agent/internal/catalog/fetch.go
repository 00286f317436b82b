package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

const (
	maxInstructions = 16 << 10
	maxEntryBytes   = 64 << 10 // of a resource, a template or a prompt as it came
)

// FetchOptions says whose lists are read.
type FetchOptions struct {
	Server       string
	Era          string
	Instructions string           // the server's; at most 16 KB are kept
	Now          func() time.Time // required

	// The lists beside the tools; a nil one is not read. When one cannot be read, that is a note of the listing.
	Resources, Templates, Prompts Pager
}

// Fetch reads all lists of a server. It fails only when the tools cannot be read: one bad tool is quarantined, and a list
// that does not end is cut with a note.
func Fetch(ctx context.Context, tools Pager, o FetchOptions) (Listing, error) {
	l := Listing{Server: o.Server, Era: o.Era, Instructions: cut(o.Instructions, maxInstructions), Fetched: o.Now()}
	read, err := readList(ctx, tools, "tools")
	if err != nil {
		return Listing{}, err
	}
	l.TTL = read.ttl
	l.note(read.note)
	l.addTools(read.items)
	l.Resources = family(ctx, &l, o.Resources, "resources", func(r mcp.Resource) string { return r.URI })
	l.Templates = family(ctx, &l, o.Templates, "resourceTemplates", func(t mcp.ResourceTemplate) string { return t.URITemplate })
	l.Prompts = family(ctx, &l, o.Prompts, "prompts", func(p mcp.Prompt) string { return p.Name })
	if err := ctx.Err(); err != nil {
		return Listing{}, fmt.Errorf("list what the server has: %w", err)
	}
	slices.SortStableFunc(l.Quarantined, func(a, b Quarantined) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason))
	})
	l.Hash = listingHash(l)
	return l, nil
}

// addTools judges the tools in the server's order, so that of two with one name the first counts, and sorts them.
func (l *Listing) addTools(items []jsontext.Value) {
	names := make(map[string]bool, len(items))
	for i, raw := range items {
		t, err := readTool(raw)
		if err == nil && names[t.Name] {
			err = errors.New("an earlier tool of the server has the same name")
		}
		if err != nil {
			l.quarantine(cmp.Or(t.Name, fmt.Sprintf("(tool %d)", i+1)), err)
			continue
		}
		names[t.Name] = true
		t.Server = l.Server
		l.Tools = append(l.Tools, t)
	}
	slices.SortFunc(l.Tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
}

func (l *Listing) quarantine(name string, reason error) {
	l.Quarantined = append(l.Quarantined, Quarantined{Server: l.Server, Name: printable(name), Reason: reason.Error()})
}

func (l *Listing) note(text string) {
	if text != "" {
		l.Notes = append(l.Notes, text)
	}
}

// family reads one of the lists beside the tools, sorted by what identifies an entry.
func family[T any](ctx context.Context, l *Listing, next Pager, name string, id func(T) string) []T {
	if next == nil {
		return nil
	}
	read, err := readList(ctx, next, name)
	if err != nil {
		l.note(err.Error())
		return nil
	}
	l.note(read.note)
	var out []T
	seen := map[string]bool{}
	for i, raw := range read.items {
		var entry T
		var err error
		switch {
		case len(raw) > maxEntryBytes:
			err = fmt.Errorf("it is %d KB long; at most %d are read", len(raw)>>10, maxEntryBytes>>10)
		case json.Unmarshal(raw, &entry, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil:
			err = errors.New("it has not the form that the protocol asks for")
		case id(entry) == "":
			err = errors.New("it has nothing to ask for it by")
		case seen[id(entry)]:
			err = errors.New("an earlier one is the same")
		}
		if err != nil {
			l.quarantine(fmt.Sprintf("(%s %d) %s", name, i+1, id(entry)), err)
			continue
		}
		seen[id(entry)] = true
		out = append(out, entry)
	}
	slices.SortFunc(out, func(a, b T) int { return cmp.Compare(id(a), id(b)) })
	return out
}

// cut returns at most size bytes of s, without half a rune.
func cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for !utf8.RuneStart(s[size]) {
		size--
	}
	return s[:size]
}
