package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// noteCall notes the program of a simple command, and its prefix.
func (j *judge) noteCall(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	name, _ := literal(c.Args[0])
	scratch := judge{}
	if !j.strict && scratch.call(c) && !slices.ContainsFunc(scratch.v.Reads, leads) {
		j.v.Programs = appendNew(j.v.Programs, name)
		return
	}
	words := make([]string, 0, len(c.Args))
	for _, w := range c.Args {
		text, ok := literal(w)
		if !ok {
			text = "?"
		}
		words = append(words, text)
	}
	before := ""
	for _, a := range c.Assigns {
		if !harmlessAssign(a) && a.Name != nil {
			before += a.Name.Value + "= "
		}
	}
	j.v.Prefixes = appendNew(j.v.Prefixes, before+j.prefix(words))
}

// leads reports paths that may lead out of the folder that the command runs in.
func leads(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || slices.Contains(strings.Split(name, "/"), "..")
}

// leavesDir reports whether there is a cd to a folder that may be outside, or to one that only running tells.
func leavesDir(file *syntax.File) bool {
	leaves := false
	syntax.Walk(file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok || len(c.Args) == 0 {
			return true
		}
		name, ok := literal(c.Args[0])
		if ok && name != "cd" && name != "pushd" && name != "popd" {
			return true
		}
		if name == "cd" && len(c.Args) == 2 {
			if target, ok := literal(c.Args[1]); ok && !leads(target) && !strings.HasPrefix(target, "-") {
				return true
			}
		}
		leaves = true
		return true
	})
	return leaves
}

// prefix notes the programs that words start, and returns what rules can be about.
func (j *judge) prefix(words []string) string {
	name := words[0]
	j.v.Programs = appendNew(j.v.Programs, name)
	args := words[1:]
	if j.isNetwork(name, args) {
		j.v.Network = true
	}
	switch base := path.Base(name); {
	case name == "?" || name == "":
		return "?"
	case base != name && strings.Contains(name, "/"):
		return name // A program of that path, whatever its name.
	case runsOthers(base):
		// What it starts is noted, but a rule for that is none for this.
		if isShell(base) {
			j.v.Programs = appendNew(j.v.Programs, "?")
		} else if inner := innerCommand(args); inner != nil {
			j.v.Programs = appendNew(j.v.Programs, inner[0])
			if j.isNetwork(inner[0], inner[1:]) {
				j.v.Network = true
			}
		}
		return name
	case name == "cd":
		return strings.Join(words[:min(len(words), 2)], " ")
	case name == "find":
		if i := slices.IndexFunc(args, actsInFind); i >= 0 {
			if i+1 < len(args) && strings.HasPrefix(args[i], "-exec") {
				j.v.Programs = appendNew(j.v.Programs, args[i+1])
				return name + " " + args[i] + " " + args[i+1]
			}
			return name + " " + args[i]
		}
		return name
	case hasSubcommands(name) && len(args) > 0:
		if slices.Contains([]string{"npm", "pnpm", "yarn", "bun", "deno"}, name) && args[0] == "run" && len(args) > 1 {
			return name + " run " + args[1]
		}
		return name + " " + args[0]
	}
	return name
}

// runsOthers reports programs whose arguments are other commands.
func runsOthers(name string) bool {
	return slices.Contains([]string{
		"sudo", "doas", "su", "env", "xargs", "nohup", "timeout", "nice", "ionice", "time", "stdbuf", "setsid", "command", "builtin",
		"exec", "eval", "source", ".", "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "parallel", "watch", "strace", "ltrace",
		"chroot", "unshare", "nsenter", "ssh", "flock", "script", "trap", "coproc", "npx", "bunx", "pnpx", "uvx", "pipx",
	}, name)
}

// isShell reports programs that take a program as text.
func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "fish", "su", "eval", "source", ".", "trap", "busybox", "script"}, name)
}

// innerCommand returns the words from the first on that could be a program.
func innerCommand(args []string) []string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.Contains(a, "=") && strings.Trim(a, "0123456789.smhd") != "" {
			return args[i:]
		}
	}
	return nil
}

// hasSubcommands reports programs of which a rule should name the subcommand too.
func hasSubcommands(name string) bool {
	return slices.Contains([]string{
		"git", "go", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "docker", "podman", "kubectl", "helm", "gh", "glab", "pip", "pip3",
		"uv", "poetry", "make", "just", "task", "apt", "apt-get", "brew", "dnf", "systemctl", "terraform", "aws", "gcloud", "az", "rustup",
		"dotnet", "mvn", "gradle", "bazel", "bundle", "rails", "composer", "mix", "stack", "cabal", "conda", "rata", "elyra", "nix",
	}, name)
}

// isNetwork reports programs that speak to other machines.
func (j *judge) isNetwork(name string, args []string) bool {
	name = path.Base(name)
	if slices.Contains([]string{
		"curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "netcat", "socat", "telnet", "ftp", "ping", "dig", "nslookup", "host",
		"gh", "glab", "aws", "gcloud", "az", "npx", "bunx", "pnpx", "uvx", "brew", "apt", "apt-get", "dnf", "yum", "pacman", "apk", "http",
	}, name) {
		return true
	}
	if len(args) == 0 {
		return false
	}
	subs := map[string][]string{
		"git":    {"push", "pull", "fetch", "clone", "ls-remote", "submodule"},
		"npm":    {"install", "i", "ci", "update", "publish", "add", "view", "audit", "exec"},
		"pnpm":   {"install", "i", "add", "update", "publish", "dlx"},
		"yarn":   {"install", "add", "upgrade", "publish", "dlx"},
		"bun":    {"install", "add", "update", "publish"},
		"pip":    {"install", "download"},
		"pip3":   {"install", "download"},
		"uv":     {"add", "sync", "pip", "tool"},
		"go":     {"get", "install", "mod"},
		"cargo":  {"install", "publish", "fetch", "update", "add"},
		"docker": {"pull", "push", "login", "build"},
		"podman": {"pull", "push", "login", "build"},
	}
	return slices.Contains(subs[name], args[0])
}
