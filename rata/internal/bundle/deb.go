package bundle

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// A Debian package is an ar archive of three files: the format's version, what the package says of
// itself, and the files that are installed. See deb(5) and deb-control(5).

// debArchs are Debian's names for Go's architectures where they differ.
var debArchs = map[string]string{"386": "i386", "arm": "armhf", "ppc64le": "ppc64el", "mipsle": "mipsel", "mips64le": "mips64el", "loong64": "loong64"}

func debArch(arch string) string {
	if name, ok := debArchs[arch]; ok {
		return name
	}
	return arch
}

// debVersion is a version as Debian orders it: what comes before a release sorts before it.
func debVersion(version string) string { return strings.Replace(version, "-", "~", 1) }

func (m *maker) deb(p Program) (func(io.Writer) error, error) {
	files, err := m.linuxFiles(p)
	if err != nil {
		return nil, err
	}
	changelog, err := m.changelog()
	if err != nil {
		return nil, err
	}
	files = append(under("usr", files),
		text("usr/share/doc/"+m.app.Package+"/copyright", m.copyright()),
		data("usr/share/doc/"+m.app.Package+"/changelog.gz", changelog))
	control, err := m.control(p, files)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error {
		var about, data bytes.Buffer
		if err := writeTarGz(&about, "./", control, m.time); err != nil {
			return err
		}
		if err := writeTarGz(&data, "./", files, m.time); err != nil {
			return err
		}
		return writeAr(w, m.time, []arFile{
			{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", about.Bytes()}, {"data.tar.gz", data.Bytes()},
		})
	}, nil
}

// control are the files with what the package says of itself.
func (m *maker) control(p Program, files []entry) ([]entry, error) {
	var sums strings.Builder
	installed := int64(0)
	for _, e := range sorted(files) {
		sum := md5.New()
		size, err := e.size()
		if err == nil {
			err = e.copyTo(sum)
		}
		if err != nil {
			return nil, err
		}
		installed += (size + 1023) / 1024
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum.Sum(nil)), e.name)
	}
	depends, err := m.depends(p)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	field("Package", m.app.Package)
	field("Version", debVersion(m.app.Version))
	field("Architecture", debArch(p.Arch))
	field("Maintainer", m.debMaintainer())
	field("Installed-Size", fmt.Sprint(installed))
	field("Depends", strings.Join(depends, ", "))
	field("Section", "misc")
	field("Priority", "optional")
	field("Homepage", m.app.Homepage)
	field("Description", m.app.summary())
	for i, paragraph := range m.longText() {
		if i > 0 {
			b.WriteString(" .\n")
		}
		for line := range strings.SplitSeq(folded(paragraph, 78), "\n") {
			fmt.Fprintf(&b, " %s\n", line)
		}
	}
	return []entry{text("control", b.String()), text("md5sums", sums.String())}, nil
}

// longText is what stands below the summary, where Debian wants something.
func (m *maker) longText() []string {
	if list := m.app.paragraphs(); len(list) > 0 {
		return list
	}
	if len(m.app.Tools) > 0 {
		return []string{fmt.Sprintf("%s can also be used by AI agents: %s --mcp is its MCP server.", m.app.Name, m.app.Package)}
	}
	return []string{m.app.Name + " is a program made with Elyra."}
}

// folded breaks a text between words so that lines have at most so many characters, where words allow.
func folded(text string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}

func (m *maker) debMaintainer() string {
	a := m.app.maintainer()
	return fmt.Sprintf("%s <%s>", a.Name, a.Address) // without the quotes of mail, which Debian does not know
}

// depends are the packages without which the program does not work.
func (m *maker) depends(p Program) ([]string, error) {
	var list []string
	dynamic, err := isDynamic(p.Path)
	if err != nil {
		return nil, err
	}
	if dynamic {
		list = append(list, "libc6")
	}
	if p.Window {
		list = append(list, "libwebkit2gtk-4.1-0 | libwebkitgtk-6.0-4")
	}
	return append(list, m.app.Depends...), nil
}

// isDynamic reports whether a program for Linux is loaded by the C library's loader, which is so even
// without cgo once it opens libraries.
func isDynamic(path string) (bool, error) {
	f, err := elf.Open(path)
	if err != nil {
		return false, fmt.Errorf("read the program %s: %w", path, err)
	}
	defer f.Close()
	for _, part := range f.Progs {
		if part.Type == elf.PT_INTERP {
			return true, nil
		}
	}
	return false, nil
}

func (m *maker) copyright() string {
	var b strings.Builder
	b.WriteString("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n")
	fmt.Fprintf(&b, "Upstream-Name: %s\nUpstream-Contact: %s\n", m.app.Name, m.debMaintainer())
	if m.app.Homepage != "" {
		fmt.Fprintf(&b, "Source: %s\n", m.app.Homepage)
	}
	fmt.Fprintf(&b, "\nFiles: *\nCopyright: %d %s\nLicense: ", m.time.Year(), m.app.maintainer().Name)
	if m.app.License == "" {
		b.WriteString("unknown\n The authors have not said under which license this program is.\n")
	} else {
		fmt.Fprintf(&b, "%s\n See https://spdx.org/licenses/ for its text.\n", m.app.License)
	}
	return b.String()
}

func (m *maker) changelog() ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%s (%s) stable; urgency=medium\n\n  * Version %s.\n\n -- %s  %s\n",
		m.app.Package, debVersion(m.app.Version), m.app.Version, m.debMaintainer(), m.time.Format(time.RFC1123Z))
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// arFile is a file in an ar archive, with a name of at most 15 bytes.
type arFile struct {
	name    string
	content []byte
}

func writeAr(w io.Writer, at time.Time, files []arFile) error {
	if _, err := io.WriteString(w, "!<arch>\n"); err != nil {
		return err
	}
	for _, f := range files {
		header := fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n", f.name, at.Unix(), 0, 0, 0o100644, len(f.content))
		if _, err := io.WriteString(w, header); err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
		if len(f.content)%2 == 1 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
	}
	return nil
}
