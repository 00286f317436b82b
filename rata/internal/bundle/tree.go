package bundle

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive, with its text or the file that it is a copy of.
type entry struct {
	name    string // with / between folders
	mode    fs.FileMode
	content []byte
	source  string // path of the file to copy, instead of content
}

func text(name, content string) entry {
	return entry{name: name, mode: 0o644, content: []byte(content)}
}

func data(name string, content []byte) entry { return entry{name: name, mode: 0o644, content: content} }

func program(name, source string) entry { return entry{name: name, mode: 0o755, source: source} }

// size is that of the content.
func (e entry) size() (int64, error) {
	if e.source == "" {
		return int64(len(e.content)), nil
	}
	info, err := os.Stat(e.source)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// copyTo writes the content.
func (e entry) copyTo(w io.Writer) error {
	if e.source == "" {
		_, err := w.Write(e.content)
		return err
	}
	f, err := os.Open(e.source)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// under puts entries into a folder.
func under(folder string, entries []entry) []entry {
	moved := slices.Clone(entries)
	for i := range moved {
		moved[i].name = path.Join(folder, moved[i].name)
	}
	return moved
}

// folders are all folders that hold entries, outer ones first.
func folders(entries []entry) []string {
	seen := map[string]bool{".": true}
	var list []string
	for _, e := range entries {
		for dir := path.Dir(e.name); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			list = append(list, dir)
		}
	}
	slices.Sort(list)
	return list
}

// sorted gives the entries in one order, whoever gathered them.
func sorted(entries []entry) []entry {
	list := slices.Clone(entries)
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return list
}

// writeTarGz writes a compressed tar file whose files belong to root. The prefix is before each name.
func writeTarGz(w io.Writer, prefix string, entries []entry, at time.Time) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	header := func(h tar.Header) error {
		h.Name, h.ModTime, h.Uname, h.Gname = prefix+h.Name, at, "root", "root"
		h.Format = tar.FormatGNU // what dpkg reads, also with names over 100 bytes
		return archive.WriteHeader(&h)
	}
	if prefix != "" {
		if err := header(tar.Header{Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
			return err
		}
	}
	for _, dir := range folders(entries) {
		if err := header(tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755}); err != nil {
			return err
		}
	}
	for _, e := range sorted(entries) {
		size, err := e.size()
		if err != nil {
			return err
		}
		if err := header(tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: size}); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if err := e.copyTo(archive); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

// writeZip writes a zip file. Programs keep the right to be run.
func writeZip(w io.Writer, entries []entry, at time.Time) error {
	if first := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); at.Before(first) {
		at = first // the format knows no earlier time
	}
	archive := zip.NewWriter(w)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, e := range sorted(entries) {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		part, err := archive.CreateHeader(header)
		if err == nil {
			err = e.copyTo(part)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return archive.Close()
}
