// Package completion owns the scripts with which shells complete a program's command line.
//
// It promises scripts that start nothing: they hold the names of commands, flags and fixed values, and
// leave all else to the shell's file names. Which parser a program uses it does not know. It imports only
// the standard library.
package completion

import (
	"fmt"
	"strings"
)

// Command is a program or one of its commands.
type Command struct {
	Name     string // without spaces; it may have colons
	Help     string // one line
	Flags    []Flag // its own and those that it inherits
	Commands []Command
	// Values are those of the first argument, when it has only some.
	Values []string
}

// next are the words that may follow a command, other than flags.
func (c Command) next() []string {
	var names []string
	for _, child := range c.Commands {
		names = append(names, child.Name)
	}
	return append(names, c.Values...)
}

// Flag is a flag of a command.
type Flag struct {
	Name   string // without dashes
	Help   string // one line
	Value  bool   // it takes a value
	Values []string
}

// Shells are the shells that there are scripts for.
var Shells = []string{"bash", "zsh", "fish"}

// Script is the script for a shell, to be read by it when it starts.
func Script(shell string, program Command) (string, error) {
	w := writer{program: program, function: "_" + strings.Map(letter, program.Name)}
	switch shell {
	case "bash":
		return w.bash(), nil
	case "zsh":
		return w.zsh(), nil
	case "fish":
		return w.fish(), nil
	}
	return "", fmt.Errorf("complete: there is no script for the shell %q, only for %s", shell, strings.Join(Shells, ", "))
}

// letter is what the name of a shell's function may have.
func letter(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}

// writer writes one script.
type writer struct {
	program  Command
	function string
	strings.Builder
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// each visits the program and its commands; at is the way there, each name after a space, so that the
// program's own is empty.
func (w *writer) each(visit func(at string, c Command)) {
	var walk func(at string, c Command)
	walk = func(at string, c Command) {
		visit(at, c)
		for _, child := range c.Commands {
			walk(at+" "+child.Name, child)
		}
	}
	walk("", w.program)
}

// steps writes the cases by which a shell follows the words to a command.
func (w *writer) steps(indent string) {
	w.each(func(at string, _ Command) {
		if at != "" {
			w.line("%s%s) at=%s ;;", indent, quote(at), quote(at))
		}
	})
}

// values writes a case for each flag whose values are known.
func (w *writer) values(indent, add string) {
	w.each(func(at string, c Command) {
		for _, f := range c.Flags {
			if len(f.Values) > 0 {
				w.line("%s%s) "+add+" ;;", indent, quote(at+" --"+f.Name), strings.Join(f.Values, " "))
			}
		}
	})
}

func (w *writer) bash() string {
	w.line("# Completion of %s for bash. Read it from ~/.bashrc:", w.program.Name)
	w.line("#   source <(%s completion bash)", w.program.Name)
	w.line("%s() {", w.function)
	w.WriteString(`	local line=${COMP_LINE:0:COMP_POINT} at= previous= current= list= word
	local -a words
	read -ra words <<<"$line"
	if [[ $line != *[[:space:]] ]]; then
		current=${words[${#words[@]} - 1]}
		unset "words[${#words[@]} - 1]"
	fi
	for word in "${words[@]:1}"; do
		case "$at $word" in
`)
	w.steps("\t\t")
	w.WriteString(`		esac
		previous=$word
	done
	case "$at $previous" in
`)
	w.values("\t", "list='%s'")
	w.WriteString(`	*)
		case $at in
`)
	w.each(func(at string, c Command) {
		var flags []string
		for _, f := range c.Flags {
			flags = append(flags, "--"+f.Name)
		}
		w.line("\t\t%s) if [[ $current == -* ]]; then list='%s'; else list='%s'; fi ;;", quote(at), strings.Join(flags, " "), strings.Join(c.next(), " "))
	})
	w.WriteString(`		esac
		;;
	esac
	local IFS=$' \t\n'
	COMPREPLY=($(compgen -W "$list" -- "$current"))
	# For bash a colon may begin a new word: then only what follows it is to be replaced.
	if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
		COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
	fi
}
`)
	w.line("complete -o default -F %s %s", w.function, w.program.Name)
	return w.String()
}

func (w *writer) zsh() string {
	w.line("#compdef %s", w.program.Name)
	w.line("# Completion of %s for zsh. Read it from ~/.zshrc, after compinit:", w.program.Name)
	w.line("#   source <(%s completion zsh)", w.program.Name)
	w.line("%s() {", w.function)
	w.WriteString(`	local at= previous= word
	local -a commands flags
	for word in ${words[2,CURRENT-1]}; do
		case "$at $word" in
`)
	w.steps("\t\t")
	w.WriteString(`		esac
		previous=$word
	done
	case "$at $previous" in
`)
	w.values("\t", "compadd -- %s; return")
	w.WriteString(`	esac
	case $at in
`)
	w.each(func(at string, c Command) {
		w.line("\t%s)", quote(at))
		w.line("\t\tflags=(")
		for _, f := range c.Flags {
			w.line("\t\t\t%s", described("--"+f.Name, f.Help))
		}
		w.line("\t\t)")
		w.line("\t\tcommands=(")
		for _, child := range c.Commands {
			w.line("\t\t\t%s", described(child.Name, child.Help))
		}
		for _, value := range c.Values {
			w.line("\t\t\t%s", quote(value))
		}
		w.line("\t\t)")
		w.line("\t\t;;")
	})
	w.WriteString(`	esac
	if [[ $PREFIX == -* ]]; then
		_describe flag flags
	elif (($#commands)); then
		_describe command commands
	else
		_files
	fi
}
`)
	w.line("if [[ $funcstack[1] == %s ]]; then %s; else compdef %s %s; fi", w.function, w.function, w.function, w.program.Name)
	return w.String()
}

// described is a name and its help as zsh's _describe takes them.
func described(name, help string) string {
	return quote(strings.ReplaceAll(name, ":", `\:`) + ":" + help)
}

func (w *writer) fish() string {
	w.line("# Completion of %s for fish. Keep it where fish looks:", w.program.Name)
	w.line("#   %s completion fish >~/.config/fish/completions/%s.fish", w.program.Name, w.program.Name)
	w.line("function %s_at", w.function)
	w.line("\tset -l at ''")
	w.line("\tfor word in (commandline -opc)[2..-1]")
	w.line("\t\tswitch \"$at $word\"")
	var ways []string
	w.each(func(at string, _ Command) {
		if at != "" {
			ways = append(ways, quoteFish(at))
		}
	})
	w.line("\t\t\tcase %s", strings.Join(ways, " "))
	w.line("\t\t\t\tset at \"$at $word\"")
	w.line("\t\tend\n\tend\n\ttest \"$at\" = \"$argv[1]\"\nend")
	w.each(func(at string, c Command) {
		condition := "-n " + quoteFish(fmt.Sprintf("%s_at %s", w.function, quoteFish(at)))
		for _, child := range c.Commands {
			w.line("complete -c %s -f %s -a %s -d %s", w.program.Name, condition, quoteFish(child.Name), quoteFish(child.Help))
		}
		if len(c.Values) > 0 {
			w.line("complete -c %s -f %s -a %s", w.program.Name, condition, quoteFish(strings.Join(c.Values, " ")))
		}
		for _, f := range c.Flags {
			value := ""
			if len(f.Values) > 0 {
				value = " -x -a " + quoteFish(strings.Join(f.Values, " "))
			} else if f.Value {
				value = " -r"
			}
			w.line("complete -c %s %s -l %s%s -d %s", w.program.Name, condition, f.Name, value, quoteFish(f.Help))
		}
	})
	return w.String()
}

// quote makes a word of a text for bash and zsh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quoteFish makes a word of a text for fish.
func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
