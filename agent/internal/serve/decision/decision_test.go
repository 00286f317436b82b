package decision_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/serve/decision"
)

func write(t *testing.T, project string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text                   string
		title, status, date, summary string
		problems                     string
	}{
		{
			name:  "MADR",
			text:  "---\nstatus: \"accepted\"\ndate: 2024-02-03 # when it was last updated\ndecision-makers: [a, b]\n---\n# Use Go\n\n## Context and Problem Statement\n\nWhich language?\n\n## Decision Outcome\n\nChosen option: \"Go\",\nbecause it is there.\n\nMore.\n",
			title: "Use Go", status: "accepted", date: "2024-02-03", summary: `Chosen option: "Go", because it is there.`,
		},
		{
			name:  "MADR of old",
			text:  "# Use Go\n\n* Status: accepted\n* Deciders: a\n* Date: 2020-11-12\n\n## Context\n\nWhy.\n",
			title: "Use Go", status: "accepted", date: "2020-11-12", summary: "Why.",
		},
		{
			name:  "sections",
			text:  "# 12. Use Go\n\nDate: 12/2019, or so\n\n## Status\n\nSuperseded by [13](0013.md)\n\n## Decision\n\nWe use Go.\n",
			title: "12. Use Go", status: "Superseded by [13](0013.md)", summary: "We use Go.", problems: `its date "12/2019, or so" is none`,
		},
		{
			name:  "plain",
			text:  "# Use Go\r\n\r\nWe use it.\r\n```\n# no title\n## Status\nno\n```\n",
			title: "Use Go", summary: "We use it.",
		},
		{
			name:  "bold fields and a date in words",
			text:  "\uFEFF# Use Go\n\n**Status:** proposed\n**Date:** 3 February 2024\n\nText.\n",
			title: "Use Go", status: "proposed", date: "2024-02-03", summary: "Text.",
		},
		{
			name:  "front matter that is not closed",
			text:  "---\nstatus: accepted\n# Use Go\n\nText.",
			title: "Use Go", status: "accepted", problems: "its front matter is not closed by a line of ---", summary: "Text.",
		},
		{name: "no title", text: "just text", summary: "just text", problems: "it has no title"},
		{
			name:  "what a terminal would obey",
			text:  "# Use \x1b[31mGo\x1b[0m\n\nStatus: a\x07ccepted\n",
			title: "Use Go", status: "a␇ccepted",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, problems := decision.Parse(tt.text)
			if d.Title != tt.title || d.Date != tt.date || d.Summary != tt.summary || d.Status != tt.status {
				t.Errorf("%q %q %q %q", d.Title, d.Status, d.Date, d.Summary)
			}
			if all := strings.Join(problems, "; "); all != tt.problems {
				t.Errorf("problems %q, want %q", all, tt.problems)
			}
		})
	}
}

func TestNewestFirst(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	write(t, project, map[string]string{
		"docs/adr/0001-a.md":                    "# A\n\nDate: 2020-01-01\n",
		"docs/adr/0002-b.md":                    "# B\n", // as old as A, and after it
		"docs/adr/0010-c.md":                    "# C\n\nDate: 2022-01-01\n",
		"docs/adr/README.md":                    "# About\n",
		"docs/adr/0000-template.md":             "# Template\n",
		"docs/adr/notes.txt":                    "no record",
		"docs/decisions/backend/ADR-003-d.md":   "# D\n\nDate: 2021-01-01\n",
		".elyra/decisions/2023-e.md":            "---\ndate: 2023-05-05\n---\n# E\n",
		".elyra/decisions/undated.md":           "# F\n",
		"docs/decisions/1/2/3/4/5/6/too-far.md": "# G\n",
	})
	var titles []string
	found := decision.Read(project)
	for _, d := range found.Decisions {
		titles = append(titles, d.Title)
	}
	if all := strings.Join(titles, " "); all != "E C D B A F" || len(found.Problems) != 0 {
		t.Errorf("%s %v", all, found.Problems)
	}
	if got := decision.Matching(found.Decisions, "ADR-003 d"); len(got) != 1 || got[0].Title != "D" {
		t.Errorf("matching: %+v", got)
	}
}

// TestMalformedOnesAreNamed and stop none of the others.
func TestMalformedOnesAreNamed(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	write(t, project, map[string]string{
		"docs/adr/0001-good.md":   "# Good\n",
		"docs/adr/0002-empty.md":  " \n",
		"docs/adr/0003-binary.md": "\xff\xfe\x00#",
		"docs/adr/0004-large.md":  "# Large\n" + strings.Repeat("x", 300<<10),
		"docs/adr/0005-half.md":   "---\nstatus: x\n",
		"outside/secret.md":       "# Secret\n",
	})
	inside := filepath.Join(project, "inside")
	if err := os.Rename(filepath.Join(project, "docs"), filepath.Join(project, "kept")); err != nil {
		t.Fatal(err)
	}
	write(t, inside, map[string]string{"x": ""})
	if err := os.Rename(filepath.Join(project, "kept"), filepath.Join(inside, "docs")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(project, "outside", "secret.md"), filepath.Join(inside, "docs", "adr", "0006-link.md")); err != nil {
		t.Logf("no links on this system: %v", err)
	}
	found := decision.Read(inside)
	problems := map[string]string{}
	for _, p := range found.Problems {
		problems[p.Path] += p.Problem + "; "
	}
	for name, want := range map[string]string{
		"docs/adr/0002-empty.md": "empty", "docs/adr/0003-binary.md": "UTF-8", "docs/adr/0004-large.md": "more than",
		"docs/adr/0005-half.md": "front matter",
	} {
		if !strings.Contains(problems[name], want) {
			t.Errorf("%s: %q, want %q", name, problems[name], want)
		}
	}
	for _, d := range found.Decisions {
		if d.Title == "Secret" {
			t.Error("a link out of the project was read")
		}
	}
	if len(found.Decisions) != 2 {
		t.Errorf("%d decisions: %+v", len(found.Decisions), found.Decisions)
	}
	if none := decision.Read(t.TempDir()); len(none.Decisions)+len(none.Problems) != 0 {
		t.Errorf("%+v", none)
	}
}

// FuzzParse holds that any text is a record with bounded, valid texts of one line.
func FuzzParse(f *testing.F) {
	f.Add("---\nstatus: a\n---\n# T\n\nDate: 2020-01-01\n\n## Decision\n\nD.\n")
	f.Add("---\n")
	f.Add("# \n##\n** Status : **x\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, _ := decision.Parse(text)
		for _, s := range []string{d.Title, d.Status, d.Date, d.Summary} {
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x1b") || len(s) > 600 {
				t.Errorf("%q", s)
			}
		}
	})
}
