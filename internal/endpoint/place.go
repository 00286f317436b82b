package endpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// socketPath decides where the socket goes and makes the folder, which is ours alone before the socket
// exists. The runtime folder is preferred because the system empties it; the folder of the token always
// works unless its path is too long for a socket.
func (o Options) socketPath() (string, error) {
	// One user may run several installs, so the name in a folder they share is made of the install.
	sum := sha256.Sum256([]byte(o.AppID + "\x00" + o.Paths.ConfigDir))
	name := hex.EncodeToString(sum[:8]) + ".sock"

	if base := o.Paths.RuntimeDir; base != "" {
		path := filepath.Join(base, "elyra", name)
		switch why := o.unusable(base); {
		case why != "":
			o.Log.Info("the runtime folder is not used", "folder", base, "reason", why)
		case len(path) > maxSocketPath:
		default:
			return path, ensurePrivateDir(filepath.Dir(path), o.system.uid())
		}
	}
	if path := filepath.Join(o.dir(), "mcp.sock"); len(path) <= maxSocketPath {
		return path, nil // the folder was made before the token
	}
	if base := o.Paths.TempDir; base != "" {
		// The folder is named after the user, because everybody shares its parent.
		path := filepath.Join(base, "elyra-"+strconv.Itoa(o.system.uid()), name)
		if len(path) <= maxSocketPath {
			return path, ensurePrivateDir(filepath.Dir(path), o.system.uid())
		}
	}
	return "", fmt.Errorf("choose a place for the socket: every path is longer than %d bytes, the limit for sockets; "+
		"the config folder is %s: use a shorter one", maxSocketPath, o.Paths.ConfigDir)
}

// unusable says in words why the runtime folder cannot hold ours, "" when it can.
func (o Options) unusable(dir string) string {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err.Error()
	case !info.IsDir():
		return "it is not a folder"
	case info.Mode().Perm()&0o022 != 0:
		return "others may write to it"
	}
	return foreign(info, o.system.uid())
}
