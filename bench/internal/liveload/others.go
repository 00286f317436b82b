package liveload

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"time"

	"github.com/elyra-go/elyra/internal/live"
)

// Other is another program that writes to a database: it runs each line of its input as a statement and
// answers with a line once that is committed. bench/writer is one.
type Other struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// StartOther starts it. Stop ends it.
func StartOther(cmd *exec.Cmd) (*Other, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return &Other{cmd, in, bufio.NewScanner(out)}, nil
}

// Exec has a statement run.
func (o *Other) Exec(statement string) error {
	if _, err := io.WriteString(o.in, statement+"\n"); err != nil {
		return fmt.Errorf("the other program: %w", err)
	}
	if !o.out.Scan() {
		return fmt.Errorf("the other program ended: %w", errors.Join(o.out.Err(), io.ErrUnexpectedEOF))
	}
	if answer := o.out.Text(); answer != "done" {
		return fmt.Errorf("the other program: %s", answer)
	}
	return nil
}

// Stop closes the program's input and waits for its end.
func (o *Other) Stop() {
	o.in.Close()
	o.cmd.Wait()
}

// PushOthers has somebody else change one member n times, which s follows. Push is measured from when
// exec returned, which is after the commit.
func PushOthers(exec func(statement string) error, s *live.Subscription, id, n int) (p Push, err error) {
	for i := range n {
		time.Sleep(pace + time.Duration(i*7%25)*time.Millisecond)
		start := time.Now()
		if err := exec(fmt.Sprintf("update member set name = 'Other %d' where id = %d", i, id)); err != nil {
			return p, err
		}
		committed := time.Now()
		if err := await(s); err != nil {
			return p, err
		}
		end := time.Now()
		p.Push = append(p.Push, end.Sub(committed))
		p.Whole = append(p.Whole, end.Sub(start))
	}
	return p, nil
}

// OpenWithoutEvents is Open where the system gives no file events, so that the commits of other programs
// are seen by the poll alone.
func OpenWithoutEvents(ctx context.Context, path string) (*World, error) {
	refused := make(refusals, 1)
	w, err := Open(ctx, path, Options{Log: slog.New(slog.NewTextHandler(refused, nil))})
	if err != nil {
		return nil, err
	}
	// The connection that will read is there from now on.
	if _, err = memberOf(1)(ctx, w.DB); err == nil {
		err = withoutFileEvents(refused, func() error {
			_, err := w.FollowMember(1)
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// refusals is a log that tells when the driver says that there are no file events.
type refusals chan struct{}

func (r refusals) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("no file events")) {
		select {
		case r <- struct{}{}:
		default:
		}
	}
	return len(line), nil
}
