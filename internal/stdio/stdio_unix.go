//go:build unix

package stdio

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func take() (in, out *os.File, err error) {
	// The copies are closed on exec; what dup2 puts at 0 and 1 is not, so children get that.
	inFD, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, nil, fmt.Errorf("take stdio: keep the input: %w", err)
	}
	outFD, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		unix.Close(inFD)
		return nil, nil, fmt.Errorf("take stdio: keep the output: %w", err)
	}
	in, out = os.NewFile(uintptr(inFD), "stdin"), os.NewFile(uintptr(outFD), "stdout")
	if err := replace(); err != nil {
		in.Close()
		out.Close()
		return nil, nil, fmt.Errorf("take stdio: %w", err)
	}
	return in, out, nil
}

// replace puts harmless files at descriptors 0 and 1. The variables os.Stdin and os.Stdout go by number,
// so they follow.
func replace() error {
	if err := unix.Dup2(2, 1); err != nil {
		return fmt.Errorf("point the output at standard error: %w", err)
	}
	empty, err := os.Open(os.DevNull)
	if err != nil {
		return fmt.Errorf("open an empty input: %w", err)
	}
	defer empty.Close()
	if err := unix.Dup2(int(empty.Fd()), 0); err != nil {
		return fmt.Errorf("point the input at %s: %w", os.DevNull, err)
	}
	return nil
}
