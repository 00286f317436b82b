package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// InsideVariable tells a local server how many agents are above it and in which project the last one works: "1 /path".
	// It catches what a server's command does not show.
	InsideVariable = "ELYRA_INSIDE"
	// InsideFlag says among the arguments of `elyra --mode mcp` that another agent, of another project, may use it.
	InsideFlag = "--for-elyra"
	// maxInside is how many agents may be above one that is a server.
	maxInside = 1
)

// above is what InsideVariable says.
type above struct {
	depth   int // 0: no agent has started this one
	project string
}

// insideOf reads the variable. A value that cannot be read counts as the deepest.
func insideOf(value string, set bool) above {
	if !set || value == "" {
		return above{}
	}
	number, project, _ := strings.Cut(value, " ")
	depth, err := strconv.Atoi(number)
	if err != nil || depth < 1 {
		depth = maxInside + 1
	}
	return above{depth, project}
}

// Inside adds to the environment of a local server that an agent starts it, who works in project and has the environment
// parent itself. What the server's own configuration says of the variable does not count.
func Inside(environ, parent []string, project string) []string {
	const name = InsideVariable + "="
	value := ""
	if i := slices.IndexFunc(parent, func(v string) bool { return strings.HasPrefix(v, name) }); i >= 0 {
		value = parent[i][len(name):]
	}
	up := insideOf(value, true)
	environ = slices.DeleteFunc(slices.Clone(environ), func(v string) bool { return strings.HasPrefix(v, name) })
	return append(environ, fmt.Sprintf("%s%d %s", name, min(up.depth, maxInside)+1, project))
}

// CheckInside refuses to be the server of an agent that would be loaded into itself: of one that did not say with InsideFlag
// that it is meant, of one that works in the same project, and of one that is somebody's server already.
func CheckInside(getenv func(string) (string, bool), project string, invited bool) error {
	up := insideOf(getenv(InsideVariable))
	switch {
	case up.depth == 0:
		return nil
	case up.depth > maxInside:
		return fmt.Errorf("an elyra that works for another one has started this one (%s is set), and there is no third", InsideVariable)
	case !invited:
		return fmt.Errorf("an elyra has started this one (%s is set), and elyra does not load itself "+
			"(when it is another project's and you want it, add %s to its arguments)", InsideVariable, InsideFlag)
	case up.project == project:
		return fmt.Errorf("the elyra that has started this one works in %s too, and elyra does not load itself: name another project", project)
	}
	return nil
}

// Invites reports whether a server's arguments say that it may be this program, at work in another project.
func Invites(s Server) bool {
	return slices.ContainsFunc(s.Args, func(arg string) bool {
		return slices.Contains(strings.FieldsFunc(arg, func(c rune) bool { return strings.ContainsRune(" \t\n;&|()'\"", c) }), InsideFlag)
	})
}

// refusal says why a server that runs this program is left out, nil when it is not.
func (o Options) refusal(s Server) error {
	switch {
	case !Invites(s):
		return fmt.Errorf("it would run elyra inside elyra and is left out (when it is another project's and you want it, add %s to its arguments)", InsideFlag)
	case insideOf(o.Getenv(InsideVariable)).depth > 0:
		return errors.New("it would run elyra inside an elyra that works for another one already, and is left out")
	}
	return nil
}

// IsThisAgent reports whether a server calls itself as this program does, when it is one. It catches what its command does
// not show.
func IsThisAgent(name, title string) bool { return name == agentName && title == agentTitle }
