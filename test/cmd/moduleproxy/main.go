// Command moduleproxy writes modules of a git repository into a folder that GOPROXY=file://FOLDER reads, as they would be
// served if a version of theirs were published at a revision.
//
// Usage: moduleproxy -o FOLDER -version v1.2.3 [-repo DIR] [-revision REV] SUBFOLDER…
//
// A subfolder is that of a module in the repository; "." is its root. It prints each module with the hash that go.sum has
// of it. What is not committed is not in it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

func main() {
	var r release
	flag.StringVar(&r.out, "o", "", "folder to write into")
	flag.StringVar(&r.version, "version", "", "version of all modules, such as v1.2.3")
	flag.StringVar(&r.repo, "repo", ".", "folder of the repository")
	flag.StringVar(&r.revision, "revision", "HEAD", "what is taken")
	flag.Parse()
	if r.out == "" || r.version == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "moduleproxy: say -o FOLDER, -version and the folders of the modules")
		os.Exit(2)
	}
	for _, folder := range flag.Args() {
		if err := r.write(folder); err != nil {
			fmt.Fprintf(os.Stderr, "moduleproxy: %s: %v\n", folder, err)
			os.Exit(1)
		}
	}
}

type release struct{ out, version, repo, revision string }

// write adds the module in a folder of the repository.
func (r release) write(folder string) error {
	if folder == "." {
		folder = ""
	}
	show := exec.Command("git", "-C", r.repo, "show", r.revision+":"+filepath.ToSlash(filepath.Join(folder, "go.mod")))
	mod, err := show.Output()
	if err != nil {
		return fmt.Errorf("read go.mod at %s: %w", r.revision, err)
	}
	version := module.Version{Path: modfile.ModulePath(mod), Version: r.version}
	if err := module.Check(version.Path, version.Version); err != nil {
		return err
	}
	path, err := module.EscapePath(version.Path)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.out, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	archive := filepath.Join(dir, r.version+".zip")
	f, err := os.Create(archive)
	if err != nil {
		return err
	}
	if err := zip.CreateFromVCS(f, version, r.repo, r.revision, folder); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	for name, text := range map[string]string{
		r.version + ".mod":  string(mod),
		r.version + ".info": fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", r.version, time.Now().UTC().Format(time.RFC3339)),
		"list":              r.version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	hash, err := dirhash.HashZip(archive, dirhash.Hash1)
	if err != nil {
		return err
	}
	fmt.Println(version.Path, version.Version, hash)
	return nil
}
