package tools

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/elyra-go/elyra/internal/nearest"
)

// maxNames bounds the names that are compared with a mistyped one.
const maxNames = 5000

// missing says that a file is not there, and which one may have been meant.
func (s *session) missing(path string) error {
	folder := filepath.Dir(path)
	for {
		info, err := os.Stat(folder)
		if err == nil && info.IsDir() {
			break
		}
		if err == nil {
			return fmt.Errorf("%s does not exist: %s is a file, not a folder", s.show(path), s.show(folder))
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		path, folder = folder, parent
	}
	hint := "; use find or ls to look for it"
	if name := nearest.Name(filepath.Base(path), someNames(folder)); name != "" {
		hint = fmt.Sprintf("; did you mean %s?", s.show(filepath.Join(folder, name)))
	}
	return fmt.Errorf("%s does not exist%s", s.show(path), hint)
}

// someNames lists a folder, as far as it is not huge.
func someNames(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(maxNames)
	if err != nil {
		return nil
	}
	return names
}
