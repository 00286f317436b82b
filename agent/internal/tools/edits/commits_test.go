package edits

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/txtar"
)

// commitCase is a change of one file in a commit of this project, and how a model could have asked for it: with lines of
// context around each hunk and, but for some, a slip as models make them.
type commitCase struct {
	Commit string `json:"commit"`
	Path   string `json:"path"`
	Slip   string `json:"slip"`
	// Hunks say by position what the commit did, so that what is expected does not depend on any search.
	Hunks []struct {
		Offset int    `json:"offset"`
		Length int    `json:"length"`
		New    string `json:"new"`
	} `json:"hunks"`
	Edits []struct {
		Old string `json:"old"`
		New string `json:"new"`
	} `json:"edits"`
}

func readCase(t *testing.T, file string) (c commitCase, before string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		switch f.Name {
		case "case.json":
			if err := json.Unmarshal(f.Data, &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		case "before":
			before = string(f.Data)
		}
	}
	return c, before
}

// after returns what the commit made of the file.
func (c commitCase) after(before string) string {
	var b strings.Builder
	at := 0
	for _, h := range c.Hunks {
		b.WriteString(before[at:h.Offset] + h.New)
		at = h.Offset + h.Length
	}
	return b.String() + before[at:]
}

// TestApply_commits is the measure of this package: of 100 edits taken from real commits at least 95 are applied, and none at
// a wrong place or with a wrong byte. Those that are refused do not say enough to be sure.
func TestApply_commits(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/commits/*.txtar")
	if err != nil || len(files) != 100 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	applied, wrong := 0, 0
	bySlip := map[string][2]int{}
	for _, file := range files {
		c, before := readCase(t, file)
		after := c.after(before)
		if c.Slip == "crlfFile" {
			before, after = strings.ReplaceAll(before, "\n", "\r\n"), strings.ReplaceAll(after, "\n", "\r\n")
		}
		var list []Edit
		for _, e := range c.Edits {
			list = append(list, Edit{Old: e.Old, New: e.New})
		}
		got, err := Apply(before, list)
		count := bySlip[c.Slip]
		count[1]++
		switch {
		case err != nil:
			t.Logf("refused %s (%s): %v", filepath.Base(file), c.Path, err)
		case got.Text != after:
			wrong++
			t.Errorf("applied wrongly %s (%s of %s): %+v", filepath.Base(file), c.Path, c.Commit, got.Spans)
		default:
			applied++
			count[0]++
		}
		bySlip[c.Slip] = count
	}
	for slip, n := range bySlip {
		t.Logf("%-12s %d of %d", slip, n[0], n[1])
	}
	t.Logf("applied %d of %d, wrongly %d, refused %d", applied, len(files), wrong, len(files)-applied-wrong)
	if applied < 95 || wrong > 0 {
		t.Errorf("applied %d, wrongly %d; want at least 95 and 0", applied, wrong)
	}
}
