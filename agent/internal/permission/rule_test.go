package permission

import (
	"strings"
	"testing"
)

func TestRulesThatMeanNothingAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", ":", "bash:", "bash: ", "Bash(git *)", "git commit", "bsh:git *", "*:x", "mcp:server", "bash:* *", "read:[a", "edit:a\\",
		"bash:a\x00", "bash:\u202e" + "\n", strings.Repeat("x", maxRule+1), "bash:" + strings.Repeat("x", maxRule),
	} {
		if r, err := ParseRule(text); err == nil {
			t.Errorf("%.40q is the rule %+v", text, r)
		}
	}
	rules, err := ParseRules([]string{"bash", "no pe", "bash:git *", "x/y"})
	if len(rules) != 2 || err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("%v, %v", rules, err)
	}
}

func TestPatternsOfFiles(t *testing.T) {
	t.Parallel()
	p := places{project: "/p", userHome: "/home/u"}
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"docs/**", "/p/docs/a/b.md", true},
		{"docs/**", "/p/docsx/a", false},
		{"docs/**", "/q/docs/a", false},
		{"*.go", "/p/a.go", true},
		{"*.go", "/p/a/b.go", false},
		{"**/*.go", "/p/a/b.go", true},
		{"**/*.go", "/p/b.go", true},
		{"**/a/**/b", "/p/a/x/a/y/b", true},
		{"**/.env", "/p/x/.ENV", false},
		{"~/notes/*", "/home/u/notes/a", true},
		{"~/notes/*", "/home/v/notes/a", false},
		{"/etc/hosts", "/etc/hosts", true},
		{"/etc/*", "/etc/a/b", false},
		{"./a", "/p/a", true},
		{"**", "/p/anything/at/all", true},
		{"**", "/p", true},
		{"**", "/other", false},
		{"/**", "/other", true},
	} {
		if got := p.covers(tt.pattern, tt.path, false); got != tt.want {
			t.Errorf("%s covers %s: %v", tt.pattern, tt.path, got)
		}
	}
	if !p.covers("**/.env", "/p/x/.ENV", true) {
		t.Error("a rule that denies depends on letter case")
	}
}

func TestPatternsWithManyStarsTakeNoLonger(t *testing.T) {
	t.Parallel()
	pattern := strings.Split(strings.Repeat("**/a/", 200)+"b", "/")
	path := strings.Split(strings.Repeat("a/", 2000)+"c", "/")
	if matchSegments(pattern, path) {
		t.Error("it matches")
	}
}

func FuzzRule(f *testing.F) {
	for _, seed := range []string{"bash:git commit *", "bash:=x y", "edit:docs/**", "mcp:a/b", "fetch:*.x", "*", "read:~/[a-z]*"} {
		f.Add(seed, "git commit", "/p/docs/a")
		f.Add(seed, " ", "")
	}
	f.Fuzz(func(t *testing.T, text, part, path string) {
		r, err := ParseRule(text)
		if err != nil {
			return
		}
		again, err := ParseRule(r.String())
		if err != nil || again != r {
			t.Fatalf("%q became %+v, %v", text, again, err)
		}
		g := New(Options{Project: "/p", Allow: []Rule{r}, Judge: func(string) Command {
			return Command{Parsed: true, Programs: []string{part}, Prefixes: []string{part}}
		}})
		for _, q := range []Request{
			{Tool: "bash", Kind: Run, Command: part},
			{Tool: "edit", Kind: Write, Paths: []string{path}},
			{Tool: "mcp", Kind: MCP, Server: part, Name: path, Hash: "h"},
			{Tool: "fetch", Kind: Network, Host: part},
		} {
			g.Decide(q)
		}
		if strings.Contains(part, "?") && r.tool == "bash" && r.pattern != "" && r.pattern[0] != '=' && r.coversPart("? "+part) {
			t.Fatalf("%q covers what is not known", text)
		}
	})
}
