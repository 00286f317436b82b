package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// machine is where something was measured.
type machine struct {
	Go      string `json:"go"`
	System  string `json:"system"`
	CPU     string `json:"cpu"`
	CPUs    int    `json:"cpus"`
	Memory  string `json:"memory"`
	Commit  string `json:"commit"`
	Day     string `json:"day"`
	Rounds  int    `json:"rounds"`
	RoundMS int64  `json:"roundMs"`
}

// machine describes this one. What the system does not tell is left out.
func (b *bench) machine() machine {
	m := machine{
		Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(),
		Day: time.Now().UTC().Format(time.DateOnly), Rounds: b.rounds, RoundMS: b.round.Milliseconds(),
		CPU: lineOf("/proc/cpuinfo", "model name"), Memory: lineOf("/proc/meminfo", "MemTotal"),
	}
	if out, err := exec.CommandContext(b.ctx, "git", "describe", "--always", "--dirty").Output(); err == nil {
		m.Commit = strings.TrimSpace(string(out))
	} else if info, ok := debug.ReadBuildInfo(); ok {
		m.Commit = info.Main.Version
	}
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.System += ", kernel " + strings.TrimSpace(string(release))
	}
	return m
}

// lineOf gives what stands behind a name in a file of the system's.
func lineOf(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (m machine) String() string {
	parts := []string{m.Go, m.System, fmt.Sprintf("%d × %s", m.CPUs, m.CPU), m.Memory, "commit " + m.Commit, m.Day}
	parts = append(parts, fmt.Sprintf("%d rounds of %d ms", m.Rounds, m.RoundMS))
	return strings.Join(parts, "; ")
}

// write puts the report into a folder: report.md, report.json and a picture for each chart.
func (b *bench) write(folder string, tables []*table) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	here := b.machine()
	var text strings.Builder
	fmt.Fprintf(&text, "# Benchmarks\n\nWritten by `make bench`. %s.\n\nFigures are medians; what misses its target says so.\n", here)
	document := struct {
		Machine machine     `json:"machine"`
		Tables  []tableJSON `json:"tables"`
		Charts  []chartJSON `json:"charts"`
	}{Machine: here}
	for _, c := range b.charts {
		fmt.Fprintf(&text, "\n![%s](%s.svg)\n", c.title, c.file)
		if err := os.WriteFile(filepath.Join(folder, c.file+".svg"), []byte(c.svg()), 0o666); err != nil {
			return err
		}
		document.Charts = append(document.Charts, c.json())
	}
	for _, t := range tables {
		text.WriteString("\n" + t.markdown())
		document.Tables = append(document.Tables, t.json())
	}
	data, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "report.json"), append(data, '\n'), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "report.md"), []byte(text.String()), 0o666)
}

type tableJSON struct {
	Columns []string  `json:"columns"`
	Rows    []rowJSON `json:"rows"`
	Notes   []string  `json:"notes,omitempty"`
}

// rowJSON is a row below a heading. Its cells are as they are printed, with units.
type rowJSON struct {
	Part  string   `json:"part,omitempty"`
	Cells []string `json:"cells"`
}

type chartJSON struct {
	Title string               `json:"title"`
	X     string               `json:"x,omitempty"`
	Y     string               `json:"y,omitempty"`
	Bars  map[string]float64   `json:"bars,omitempty"`
	Lines map[string][]float64 `json:"lines,omitempty"` // x, y, x, y …
}

func (t *table) json() tableJSON {
	j := tableJSON{Columns: t.columns, Notes: t.notes}
	part := ""
	for _, cells := range t.rows {
		if heading, ok := strings.CutPrefix(cells[0], headingMark); ok && len(cells) == 1 {
			part = heading
			continue
		}
		j.Rows = append(j.Rows, rowJSON{part, cells})
	}
	return j
}

// markdown is the table as one table for each heading.
func (t *table) markdown() string {
	var b strings.Builder
	head := func() {
		fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	}
	if len(t.rows) > 0 && !strings.HasPrefix(t.rows[0][0], headingMark) {
		head()
	}
	for _, cells := range t.rows {
		if heading, ok := strings.CutPrefix(cells[0], headingMark); ok && len(cells) == 1 {
			fmt.Fprintf(&b, "\n### %s%s\n\n", strings.ToUpper(heading[:1]), heading[1:])
			head()
			continue
		}
		padded := append(append([]string{}, cells...), make([]string, len(t.columns)-len(cells))...)
		fmt.Fprintf(&b, "| %s |\n", strings.Join(padded, " | "))
	}
	if len(t.notes) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(t.notes, "\n"))
	}
	return strings.TrimLeft(b.String(), "\n")
}

func (c chart) json() chartJSON {
	j := chartJSON{Title: c.title, X: c.x, Y: c.y}
	for _, v := range c.bars {
		if j.Bars == nil {
			j.Bars = map[string]float64{}
		}
		j.Bars[v.name] = v.value
	}
	for _, l := range c.lines {
		if j.Lines == nil {
			j.Lines = map[string][]float64{}
		}
		for _, p := range l.points {
			j.Lines[l.name] = append(j.Lines[l.name], p.x, p.y)
		}
	}
	return j
}
