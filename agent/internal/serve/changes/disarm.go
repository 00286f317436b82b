package changes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// disarm switches off the filters that the repository itself defines: git would start their commands to compare files. The
// user's own stay, such as that of large files.
func (g *git) disarm(ctx context.Context) error {
	out, err := g.run(ctx, maxListing, "", "config", "--null", "--show-scope", "--name-only", "--get-regexp", `^filter\.`)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return nil // There are none.
	}
	if err != nil {
		return fmt.Errorf("look for filters: %w", err)
	}
	drivers := map[string]bool{}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		scope, name := fields[i], fields[i+1]
		if end := strings.LastIndexByte(name, '.'); (scope == "local" || scope == "worktree") && end > len("filter.") {
			drivers[name[:end]] = true
		}
	}
	for driver := range drivers {
		for _, member := range []string{"clean", "process", "smudge"} {
			g.set(driver+"."+member, "")
		}
		g.set(driver+".required", "false")
	}
	return nil
}

// set has git see a setting as if it were on its command line, where no name can be misread.
func (g *git) set(name, value string) {
	const count = "GIT_CONFIG_COUNT="
	n := 0
	kept := g.environ[:0:0]
	for _, variable := range g.environ {
		if number, ok := strings.CutPrefix(variable, count); ok {
			n, _ = strconv.Atoi(number) // One that is none is git's to complain about.
			continue
		}
		kept = append(kept, variable)
	}
	g.environ = append(kept, fmt.Sprintf("%s%d", count, n+1), fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
}

// top is the folder of the repository's files. One that the repository's settings put where it is not is refused: it could be
// any folder of the user's.
func (g *git) top(ctx context.Context) (string, error) {
	out, err := g.run(ctx, 64<<10, "", "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	top := strings.TrimRight(string(out), "\r\n")
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		return "", fmt.Errorf("the repository's settings say that its files are in %q, where there is no repository", top)
	}
	return top, nil
}

// submodules adds the submodules that are there. They are not looked into: git would start what their settings name.
func (s *Set) submodules(ctx context.Context, g *git) error {
	out, err := g.run(ctx, maxListing, "", "ls-files", "--stage", "-z")
	if err != nil && !errors.Is(err, errMuch) {
		return err
	}
	for line := range strings.SplitSeq(string(out), "\x00") {
		meta, name, ok := strings.Cut(line, "\t")
		if !ok || !strings.HasPrefix(meta, submodule+" ") {
			continue
		}
		named := slices.ContainsFunc(s.Omitted, func(o Omitted) bool { return o.Path == name })
		if _, err := os.Lstat(filepath.Join(g.dir, filepath.FromSlash(name), ".git")); err == nil && !named {
			s.omit(name, otherRepository)
		}
	}
	return nil
}
