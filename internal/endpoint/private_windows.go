package endpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// alwaysLoopback is true where the endpoint cannot be a socket with a path and owner.
const alwaysLoopback = true

// foreign and exposed have nothing to read from a FileInfo here: access is decided by the list that
// restrict sets on everything the package makes.
func foreign(fs.FileInfo, int) string { return "" }
func exposed(fs.FileInfo, int) string { return "" }

// restrict gives a new file or folder to its user and the system alone, and stops it from inheriting
// the rights of its parent.
func restrict(path string, _ fs.FileMode) error {
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
	return windows.SetNamedSecurityInfo(path, windows.SE_FILE_OBJECT,
		windows.DACL_SECURITY_INFORMATION|windows.PROTECTED_DACL_SECURITY_INFORMATION, nil, nil, list, nil)
}

// openNoFollow opens for reading and refuses a link. Only the user may make one in the folder.
func openNoFollow(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("file %s is a symbolic link: remove it and start the app again: %w", path, errUnsafe)
	}
	return os.Open(path)
}

// nobodyThere reports whether a connect failed because nothing listens at the address.
func nobodyThere(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }

// dropped reports whether the other end closed a connection without having read all that was sent.
func dropped(err error) bool {
	return errors.Is(err, windows.WSAECONNRESET) || errors.Is(err, windows.WSAECONNABORTED)
}
