package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

const (
	maxMenu   = 8
	filesTime = 10 * time.Second // how long a list of files is good
)

// menu is what could be meant by what is being written.
type menu struct {
	entries  []entry
	at       int
	replace  int    // bytes before the cursor that an entry takes the place of
	closedAt string // the text for which the user has closed it
}

type entry struct {
	text string // what is written in its place
	name string
	note string
	run  bool // enter carries it out
}

func (m *menu) close() { m.entries, m.at = nil, 0 }

// lines are those of the menu.
func (m *menu) lines(l *look.Look, width int) []cells.Line {
	from := max(m.at-maxMenu+1, 0)
	names := 0
	for _, e := range m.entries {
		names = max(names, cells.Width(e.name))
	}
	names = min(names, max(width/2, 8))
	var lines []cells.Line
	for i, e := range m.entries[from:min(from+maxMenu, len(m.entries))] {
		mark, style := "  ", cells.Style("")
		if from+i == m.at {
			mark, style = "▸ ", l.Selected
		}
		line := cells.Join(style.Text(mark), style.Text(e.name))
		if e.note != "" {
			line = cells.Join(cells.Cut(line, names+2), cells.Line{{Text: strings.Repeat(" ", max(names-cells.Width(e.name), 0)+2)}}, l.Dim.Text(e.note))
		}
		lines = append(lines, cells.Cut(line, width))
	}
	return lines
}

// menuKey takes the keys of an open menu.
func (p *program) menuKey(name string) (done bool, cmd tea.Cmd) {
	m := &p.menu
	if len(m.entries) == 0 {
		return false, nil
	}
	switch name {
	case "up", "ctrl+p":
		m.at = (m.at + len(m.entries) - 1) % len(m.entries)
	case "down", "ctrl+n":
		m.at = (m.at + 1) % len(m.entries)
	case "esc":
		m.closedAt = p.editor.Text()
		m.close()
	case "tab", "enter":
		e := m.entries[m.at]
		p.editor.Complete(m.replace, e.text)
		m.close()
		if name == "enter" && e.run {
			return true, p.enter(true)
		}
		return true, p.complete()
	default:
		return false, nil
	}
	return true, nil
}

// complete looks for what could be meant by what is written before the cursor.
func (p *program) complete() tea.Cmd {
	m := &p.menu
	m.close()
	text := p.editor.Text()
	if text == "" || text == m.closedAt {
		return nil
	}
	m.closedAt = ""
	if token, ok := p.editor.Token('@'); ok && p.o.Files != nil {
		m.replace = len(token)
		for _, f := range p.files.match(token) {
			m.entries = append(m.entries, entry{text: f + " ", name: result.OneLine(result.Clean(f), 200)})
		}
		return p.files.load(p)
	}
	if !strings.HasPrefix(text, "/") || strings.Contains(text, "\n") {
		return nil
	}
	name, args, spaced := strings.Cut(text[1:], " ")
	if !spaced {
		m.replace = len(name)
		m.entries = p.commandEntries(name)
		return nil
	}
	if c := p.find(name); c != nil && c.Complete != nil {
		m.replace = len(args)
		for _, a := range c.Complete(args) {
			m.entries = append(m.entries, entry{text: a, name: result.OneLine(a, 200), run: true})
		}
		if len(m.entries) == 1 && m.entries[0].text == args {
			m.close()
		}
	}
	return nil
}

// commandEntries are the commands whose names begin with, or else contain, what is written.
func (p *program) commandEntries(prefix string) []entry {
	all := append(p.commands(), Command{Name: "copy", Help: "the last answer into the clipboard"}, Command{Name: "queue", Args: "text", Help: "say something when the work has ended"})
	slices.SortFunc(all, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	var begins, contains []entry
	for _, c := range all {
		e := entry{text: c.Name, name: "/" + strings.TrimSpace(c.Name+" "+c.Args), note: c.Help, run: true}
		// A command that is written out is meant as it is; one that is chosen may want an argument.
		needs := c.Args != "" && !strings.HasPrefix(c.Args, "[")
		if needs || c.Complete != nil && c.Name != prefix {
			e.text, e.run = c.Name+" ", false
		}
		switch {
		case strings.HasPrefix(c.Name, prefix):
			begins = append(begins, e)
		case strings.Contains(c.Name, prefix):
			contains = append(contains, e)
		}
	}
	return append(begins, contains...)
}

// files is the list of the project's files.
type files struct {
	names   []string
	known   time.Time
	loading bool
}

func (f *files) set(names []string, now time.Time) {
	f.names, f.known, f.loading = names, now, false
}

// load makes the list anew when it is old.
func (f *files) load(p *program) tea.Cmd {
	if f.loading || p.o.Now().Sub(f.known) < filesTime {
		return nil
	}
	f.loading = true
	ctx, list := p.ctx, p.o.Files
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, filesTime)
		defer cancel()
		names, err := list(ctx)
		if err != nil {
			return filesMsg(nil)
		}
		return filesMsg(names)
	}
}

// match returns the files that could be meant, the likeliest first.
func (f *files) match(token string) []string {
	const most = 50
	token = strings.ToLower(token)
	var ranks [4][]string
	for _, name := range f.names {
		lower := strings.ToLower(name)
		base := lower[strings.LastIndexByte(lower, '/')+1:]
		rank := 3
		switch {
		case strings.HasPrefix(base, token):
			rank = 0
		case strings.Contains(base, token):
			rank = 1
		case strings.Contains(lower, token):
			rank = 2
		case !subsequence(lower, token):
			continue
		}
		if len(ranks[rank]) < most {
			ranks[rank] = append(ranks[rank], result.Clean(name))
		}
	}
	all := slices.Concat(ranks[0], ranks[1], ranks[2], ranks[3])
	return all[:min(len(all), most)]
}

// subsequence reports whether the letters of part stand in text in their order.
func subsequence(text, part string) bool {
	for _, r := range part {
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}
