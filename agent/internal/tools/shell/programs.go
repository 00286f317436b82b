package shell

import (
	"regexp"
	"slices"
	"strings"
)

// looksOnly reports whether a program with these arguments only looks. It knows programs by their bare names: one with a path
// may be anything.
func looksOnly(name string, args []string) bool {
	switch name {
	case "ls", "cat", "head", "tail", "wc", "nl", "tac", "cut", "paste", "comm", "join", "tr", "column", "fold", "expand",
		"stat", "du", "df", "pwd", "true", "false", "basename", "dirname", "realpath", "readlink", "which", "type",
		"whoami", "id", "uname", "uptime", "arch", "nproc", "ps", "diff", "cmp", "md5sum", "sha1sum", "sha256sum", "sha512sum",
		"od", "hexdump", "strings", "jq", "seq", "grep", "egrep", "fgrep", "test", "[", "printf", "sort", "tree", "rg", "uniq",
		"file", "date", "printenv":
		return options(name, args)
	case "command":
		return len(args) >= 2 && (args[0] == "-v" || args[0] == "-V")
	case "find":
		return !slices.ContainsFunc(args, actsInFind)
	case "sed":
		return printsInSed(args)
	case "git":
		return gitLooks(args)
	case "go":
		return len(args) > 0 && (args[0] == "version" && len(args) == 1 ||
			args[0] == "env" && !slices.ContainsFunc(args, func(a string) bool {
				return strings.HasPrefix(a, "-w") || strings.HasPrefix(a, "-u") || strings.HasPrefix(a, "--")
			}))
	case "node", "npm", "python", "python3", "rustc", "cargo", "gcc", "clang", "make", "java", "ruby", "perl", "docker", "deno", "bun":
		return len(args) == 1 && args[0] == "--version"
	}
	return false
}

// harmlessOptions reports programs that only look whatever their options are.
func harmlessOptions(name string) bool {
	return slices.Contains([]string{"ls", "cat", "head", "tail", "wc", "grep", "stat", "du", "diff", "cmp", "md5sum", "sha1sum", "sha256sum"}, name)
}

// refused are options that make a program do more than look.
type refused struct {
	short string   // letters, also among others after one -
	long  []string // words, also when they are shortened or have a value
	plain int      // how many arguments that are no options are too many; 0: any number may be there
}

// refusals are those of the programs that have any.
func refusals(program string) refused {
	switch program {
	case "sort":
		return refused{short: "oTS", long: []string{"output", "compress-program", "temporary-directory"}}
	case "tree":
		return refused{short: "oR", long: []string{"output"}}
	case "rg":
		return refused{short: "z", long: []string{"pre", "pre-glob", "hostname-bin", "search-zip"}}
	case "uniq":
		return refused{plain: 2}
	case "file":
		return refused{short: "Czm", long: []string{"compile", "uncompress", "magic-file"}}
	case "date":
		return refused{short: "s", long: []string{"set"}, plain: 1}
	case "test", "[", "printf":
		return refused{short: "vR"}
	}
	return refused{}
}

// options reports whether arguments have none of a program's refused options.
func options(program string, args []string) bool {
	r := refusals(program)
	words := 0
	for _, a := range args {
		if program == "date" && strings.HasPrefix(a, "+") {
			continue
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			words++
			continue
		}
		if r.has(a) {
			return false
		}
	}
	return r.plain == 0 || words < r.plain
}

// has reports whether an argument is, or may be taken for, a refused option. What follows -- is no option; to be sure it is
// looked at all the same.
func (r refused) has(arg string) bool {
	long, ok := strings.CutPrefix(arg, "--")
	if !ok {
		return strings.ContainsAny(arg[1:], r.short)
	}
	name, _, _ := strings.Cut(long, "=")
	if name == "" {
		return false
	}
	return slices.ContainsFunc(r.long, func(l string) bool { return strings.HasPrefix(l, name) || strings.HasPrefix(name, l) })
}

// actsInFind reports the expressions of find that run programs, delete or write.
func actsInFind(arg string) bool {
	return slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf", "-files0-from"}, arg) ||
		strings.HasPrefix(arg, "-files0")
}

// sedPrint is a script of sed that prints lines, and nothing else.
var sedPrint = regexp.MustCompile(`^[0-9$]+(,[+0-9$]+)?p(;[0-9$]+(,[+0-9$]+)?p)*$`)

// printsInSed allows sed only with -n and scripts that print lines: others can write files and run commands.
func printsInSed(args []string) bool {
	if len(args) < 2 || args[0] != "-n" || !sedPrint.MatchString(args[1]) {
		return false
	}
	return !slices.ContainsFunc(args[2:], func(a string) bool { return strings.HasPrefix(a, "-") })
}
