package serve_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFugitiveHoldsNothingUp has a command start a process that leaves its group and holds its output open: the server exits in time all
// the same, and answers what it has accepted.
func TestFugitiveHoldsNothingUp(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
text "I begin."
call c1 bash {"command": "setsid sh -c 'echo $$ > fugitive; exec sleep 300' & trap '' TERM; sleep 300 & echo $! > child; echo $$ > shell; wait; sleep 300"}
`)
	p := r.program()
	p.send(t, 1, "tools/call", stubbornCall)
	pids := r.running()
	await(t, "the fugitive runs", func() bool {
		text, err := os.ReadFile(filepath.Join(r.project, "fugitive"))
		fugitive, convErr := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || convErr != nil {
			return false
		}
		t.Cleanup(func() { syscall.Kill(fugitive, syscall.SIGKILL) })
		return true
	})
	began := time.Now()
	p.in.Close()
	line, _ := p.out.ReadString('\n')
	err := p.Wait()
	took := time.Since(began)
	t.Logf("end of input with a fugitive → exit: %v; %s", took, line)
	if err != nil || took > within || !strings.Contains(line, `"id":1`) {
		t.Errorf("exit %v after %v: %s", err, took, line)
	}
	gone(t, pids, began)
	r.kept()
}
