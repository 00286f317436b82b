package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// git runs git in a repository. What the repository's settings would have it start is switched off.
type git struct {
	dir     string
	environ []string
}

// errMuch says that output was cut off.
var errMuch = errors.New("git says more than can be read")

// newGit takes what would point at another repository out of the environment.
func newGit(dir string, environ []string) *git {
	own := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"}
	environ = slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(own, strings.ToUpper(name))
	})
	return &git{dir, append(environ, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "GIT_PAGER=cat",
		// What is not there is not fetched, by whatever program the repository names for it.
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")}
}

// run returns what a command writes, up to a length. With errMuch there is what came until then.
func (g *git) run(ctx context.Context, most int, input string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "diff.mnemonicPrefix=false"}, args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = g.dir, g.environ, time.Second
	cmd.Stdin = strings.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &capped{to: &said, left: 2 << 10}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	data, readErr := io.ReadAll(io.LimitReader(out, int64(most)+1))
	if len(data) > most {
		cancel()
		_ = cmd.Wait() // It was ended.
		return data[:most], errMuch
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("git %s: %s (%w)", args[0], result.OneLine(said.String(), 400), err)
	}
	return data, readErr
}

// capped passes on the beginning of what is written.
type capped struct {
	to   io.Writer
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	part := p[:min(len(p), c.left)]
	c.left -= len(part)
	if _, err := c.to.Write(part); err != nil {
		return 0, err
	}
	return len(p), nil
}
