package stdio

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

func take() (in, out *os.File, err error) {
	empty, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, fmt.Errorf("take stdio: open an empty input: %w", err)
	}
	// The handles keep their files; only what the names stand for changes.
	in, out = os.Stdin, os.Stdout
	for _, kept := range []*os.File{in, out} {
		// A failure means that the handle cannot be inherited anyway.
		_ = windows.SetHandleInformation(windows.Handle(kept.Fd()), windows.HANDLE_FLAG_INHERIT, 0)
	}
	if err := windows.SetStdHandle(windows.STD_INPUT_HANDLE, windows.Handle(empty.Fd())); err != nil {
		return nil, nil, fmt.Errorf("take stdio: point the input at %s: %w", os.DevNull, err)
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, nil, fmt.Errorf("take stdio: point the output at standard error: %w", err)
	}
	os.Stdin, os.Stdout = empty, os.Stderr
	return in, out, nil
}
