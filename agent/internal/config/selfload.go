package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	agentName    = "elyra"
	agentTitle   = "Elyra"
	agentPackage = "@elyracode/" // of the packages that run the agent by way of npx and the like
	maxShells    = 4             // shells within shells that are looked into
)

// RunsThisAgent reports whether a local server would run `elyra --mode mcp`, as far as its command and arguments show:
// directly, by a path or a link to self (the path of this program, "" if unknown), or through shells, env, npx and other
// programs that run their arguments. A script that runs it is not seen: see Inside and IsThisAgent.
func RunsThisAgent(s Server, self string) bool {
	if s.Transport != Stdio {
		return false
	}
	return runsAgent(append([]string{s.Command}, s.Args...), self, maxShells)
}

// runsAgent judges the words of one simple command.
func runsAgent(words []string, self string, depth int) bool {
	for i, word := range words {
		if isAgent(word, self, i == 0) && inCommandPosition(words, i) && hasModeMCP(words[i+1:]) {
			return true
		}
		// An argument with spaces is a command line for a shell, env -S or the like.
		if i > 0 && depth > 0 && strings.ContainsAny(word, " \t\n") && strings.Contains(strings.ToLower(word), "mcp") {
			// A backslash hides a character in one shell and separates folders in another.
			lines := append(splitCommands(word), splitCommands(strings.ReplaceAll(word, `\`, "/"))...)
			if slices.ContainsFunc(lines, func(line []string) bool { return runsAgent(line, self, depth-1) }) {
				return true
			}
		}
	}
	return false
}

// isAgent reports whether a word names this program.
func isAgent(word, self string, first bool) bool {
	if strings.HasPrefix(word, agentPackage) {
		return true
	}
	name := program(word)
	if !first {
		name, _, _ = strings.Cut(name, "@") // a package and its version
	}
	if name == agentName || self != "" && name == program(self) {
		return true
	}
	if self == "" || !filepath.IsAbs(word) {
		return false
	}
	mine, err := os.Stat(self)
	if err != nil {
		return false
	}
	other, err := os.Stat(word)
	return err == nil && os.SameFile(mine, other)
}

// program returns the name of a program without folders, the endings that Windows adds, and letter case.
func program(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	for _, end := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// inCommandPosition reports whether words[i] is run and not merely the value of an option. After an option, that is so
// only if the command is known to run its arguments and to have options without values.
func inCommandPosition(words []string, i int) bool {
	if i == 0 {
		return true
	}
	before := words[i-1]
	if before == "--" || !strings.HasPrefix(before, "-") {
		return true
	}
	wrappers := []string{
		"env", "exec", "command", "nohup", "nice", "time", "timeout", "sudo", "doas", "setsid", "stdbuf", "xargs",
		"npx", "bunx", "npm", "pnpm", "yarn", "bun", "deno", "node", "uvx", "mise", "direnv", "dotenv", "arch", "cmd", "start",
		"sh", "bash", "zsh", "dash", "fish", "ksh", "busybox", "pwsh", "powershell", "wsl", "docker", "podman", "ssh", "flatpak",
	}
	return slices.Contains(wrappers, program(words[0]))
}

func hasModeMCP(args []string) bool {
	for i, arg := range args {
		if arg == "--mode=mcp" || arg == "--mode" && i+1 < len(args) && args[i+1] == "mcp" {
			return true
		}
	}
	return false
}

// splitCommands splits a shell's command line into simple commands and their words, as far as quotes and operators go.
// Assignments before a command and redirections are no words of it.
func splitCommands(line string) (commands [][]string) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	endWord := func() {
		text := word.String()
		name, _, assigned := strings.Cut(text, "=")
		assigned = assigned && len(words) == 0 && !strings.ContainsAny(name, `/\.-`)
		if inWord && !assigned {
			words = append(words, text)
		}
		word.Reset()
		inWord = false
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	escaped := false
	for _, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, inWord = c, true
		case quote == '\'':
			word.WriteRune(c)
		case c == '\\':
			escaped, inWord = true, true
		case quote != 0:
			word.WriteRune(c)
		case strings.ContainsRune(" \t", c):
			endWord()
		case strings.ContainsRune(";&|()\n{}`", c):
			endCommand()
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	endCommand()
	return commands
}
