package instructions

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/elyra-go/elyra/agent/internal/home"
)

// maxHashed is how many files of a project's skills are looked at.
const maxHashed = 2000

// Define says for package trust what skills and templates a project has: a hash of all files in their folders, and a line
// for each of them.
func Define(project string) (hash string, lines []string, err error) {
	o := Options{Project: project, Trusted: true}
	folders := []string{filepath.Join(project, ".elyra", "skills"), filepath.Join(project, ".claude", "skills"), filepath.Join(project, ".elyra", "prompts")}
	skills, notes := Skills(o)
	for _, s := range skills {
		folder := filepath.Dir(s.Path)
		if real, err := filepath.EvalSymlinks(folder); err == nil && real != folder {
			folders = append(folders, real) // below a link, where the walk does not go
		}
	}
	sum := sha256.New()
	files := 0
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			if files++; files > maxHashed {
				return fmt.Errorf("there are more than %d files in it", maxHashed)
			}
			rel, err := filepath.Rel(project, path)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%q %s\n", filepath.ToSlash(rel), fileHash(path))
			return nil
		})
		if err != nil {
			return "", nil, fmt.Errorf("look at the project's skills and prompts in %s: %w", folder, err)
		}
	}
	if files == 0 {
		return "", nil, nil
	}
	for _, s := range skills {
		lines = append(lines, fmt.Sprintf("skill %q: %.200q", s.Name, s.Description))
	}
	templates, more := Templates(o)
	for _, t := range templates {
		lines = append(lines, fmt.Sprintf("prompt /%s: %.200q", t.Name, t.Description))
	}
	return hex.EncodeToString(sum.Sum(nil)), append(append(lines, notes...), more...), nil
}

// fileHash is the hash of what a file holds, or says why that is not known. Where a link leads counts too.
func fileHash(path string) string {
	target, _ := os.Readlink(path)
	const most = 16 << 20
	data, err := home.ReadFile(path, most)
	if err != nil {
		return "not read, link to " + target
	}
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:]) + " " + target
}
