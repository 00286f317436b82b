package shell

import (
	"slices"
	"strings"
)

// gitLooks reports whether a git command only looks. Options before the subcommand can name other settings and repositories,
// and with them programs, so none is allowed but those that only change how it prints.
func gitLooks(args []string) bool {
	for len(args) > 0 && (args[0] == "--no-pager" || args[0] == "--no-optional-locks") {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	sub, rest := args[0], args[1:]
	if slices.ContainsFunc(rest, gitActs) {
		return false
	}
	switch sub {
	case "status", "log", "show", "diff", "rev-parse", "ls-files", "ls-tree", "blame", "describe", "shortlog", "rev-list",
		"merge-base", "name-rev", "for-each-ref", "cat-file", "count-objects", "check-ignore", "diff-tree", "diff-index",
		"diff-files", "show-ref", "cherry", "whatchanged", "version":
		return true
	case "grep":
		return !slices.ContainsFunc(rest, func(a string) bool {
			return strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "O") ||
				len(a) > 3 && strings.HasPrefix("--open-files-in-pager", strings.Split(a, "=")[0])
		})
	case "branch":
		return onlyOptions(rest, "-a", "-r", "-v", "-vv", "--all", "--remotes", "--verbose", "--show-current", "--list", "-l")
	case "tag":
		return len(rest) == 0 || (rest[0] == "-l" || rest[0] == "--list" || rest[0] == "-n") && noOptions(rest[1:])
	case "remote":
		return onlyOptions(rest, "-v", "--verbose") || len(rest) == 2 && rest[0] == "get-url" && noOptions(rest)
	case "stash":
		return len(rest) > 0 && (rest[0] == "list" || rest[0] == "show")
	case "reflog":
		return len(rest) == 0 || rest[0] == "show"
	case "worktree":
		return len(rest) > 0 && rest[0] == "list"
	case "config":
		return len(rest) > 0 && slices.Contains([]string{"--get", "--get-all", "--list", "-l", "get", "list"}, rest[0]) && noOptions(rest[1:])
	}
	return false
}

// gitActs reports options with which looking commands write files or run programs.
func gitActs(arg string) bool {
	name, ok := strings.CutPrefix(arg, "--")
	if !ok {
		return false
	}
	name, _, _ = strings.Cut(name, "=")
	if len(name) < 2 {
		return false
	}
	return slices.ContainsFunc([]string{"output", "ext-diff", "textconv", "filters", "open-files-in-pager", "upload-pack", "exec-path", "config-env", "edit-description", "help", "paginate", "stdin"},
		func(l string) bool { return strings.HasPrefix(l, name) && name != "text" && name != "e" })
}

func onlyOptions(args []string, known ...string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return !slices.Contains(known, a) })
}

func noOptions(args []string) bool {
	return !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") })
}
