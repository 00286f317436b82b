package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// foreign has nothing to read from a FileInfo here: access is decided by the list that restrict sets.
func foreign(fs.FileInfo, int) string { return "" }

// restrict gives a new folder, and what is made in it, to its user and the system alone, and stops it from inheriting
// the rights of its parent.
func restrict(folder string) error {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return fmt.Errorf("ask for the current user: %w", err)
	}
	sddl := "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;" + user.User.Sid.String() + ")"
	descriptor, err := windows.SecurityDescriptorFromString(sddl)
	if err != nil {
		return fmt.Errorf("describe access: %w", err)
	}
	list, _, err := descriptor.DACL()
	if err != nil {
		return fmt.Errorf("describe access: %w", err)
	}
	return windows.SetNamedSecurityInfo(folder, windows.SE_FILE_OBJECT,
		windows.DACL_SECURITY_INFORMATION|windows.PROTECTED_DACL_SECURITY_INFORMATION, nil, nil, list, nil)
}

func openPlain(path string) (*os.File, error) { return os.Open(path) }

// rename replaces to. Windows refuses that for the moment in which somebody reads it, a virus scanner for one.
func rename(from, to string) error {
	var err error
	for range 50 {
		err = os.Rename(from, to)
		if err == nil || !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}
