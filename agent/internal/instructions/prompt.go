package instructions

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
)

//go:embed system.md
var system string

// maxSkillText is how much of the system prompt the list of skills takes.
const maxSkillText = 16 << 10

// Prompt is what a system prompt is made of.
type Prompt struct {
	Date   time.Time // the day counts
	Dir    string
	Branch string // of git, "" for none
	OS     string // as runtime.GOOS names it
	Files  []File
	Skills []Skill
	Append string // what the user adds with --append-system-prompt
}

// System returns the system prompt. Make it once for a session: it must be the same bytes in all requests.
func System(p Prompt) string {
	var b strings.Builder
	b.WriteString(system)
	fmt.Fprintf(&b, "\n# Where you are\n\n- Date: %s\n- Working directory: %s\n", p.Date.Format("Monday, 2006-01-02"), oneLine(p.Dir))
	if p.Branch != "" {
		fmt.Fprintf(&b, "- Git branch at the beginning: %s\n", oneLine(p.Branch))
	}
	fmt.Fprintf(&b, "- Operating system: %s\n", p.OS)
	if skills := listSkills(p.Skills); skills != "" {
		b.WriteString("\n# Skills\n\nInstructions for special tasks. When one fits the task, read its file first and follow it; paths in it are\n" +
			"relative to its folder.\n\n" + skills)
	}
	if len(p.Files) > 0 {
		b.WriteString("\n# Instructions of the user and the project\n\nThe later ones are more special, and win.\n")
		for _, f := range p.Files {
			fmt.Fprintf(&b, "\n<instructions file=%q>\n%s\n</instructions>\n", oneLine(f.Path), inside(f.Text))
		}
	}
	if text := strings.TrimSpace(p.Append); text != "" {
		b.WriteString("\n" + text + "\n")
	}
	return b.String()
}

// inside keeps a text from ending the mark that it is put in.
func inside(text string) string {
	return strings.NewReplacer("</instructions", `<\/instructions`, "<instructions", `<\instructions`).Replace(text)
}

func listSkills(skills []Skill) string {
	var b strings.Builder
	left := 0
	for _, s := range skills {
		if s.Hidden {
			continue
		}
		text := fmt.Sprintf("- %s: %s (%s)\n", s.Name, inside(s.Description), oneLine(s.Path))
		if b.Len()+len(text) > maxSkillText {
			left++
			continue
		}
		b.WriteString(text)
	}
	if left > 0 {
		fmt.Fprintf(&b, "- and %d more, which do not fit here\n", left)
	}
	return b.String()
}

// oneLine keeps what somebody may have named from looking like more lines.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// Branch returns the git branch of a folder's repository without running git: the branch's name, the beginning of a
// commit's hash, or "".
func Branch(project string) string {
	git := filepath.Join(project, ".git")
	read := func(path string) string {
		data, err := home.ReadFile(path, 4096)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(data))
	}
	if other, ok := strings.CutPrefix(read(git), "gitdir: "); ok { // a worktree
		if git = other; !filepath.IsAbs(git) {
			git = filepath.Join(project, git)
		}
	}
	head := read(filepath.Join(git, "HEAD"))
	if name, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
		return oneLine(name)
	}
	if len(head) == 40 && strings.Trim(head, "0123456789abcdef") == "" {
		return head[:12]
	}
	return ""
}
