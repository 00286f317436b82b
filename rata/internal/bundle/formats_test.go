package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// unzip gives the files of a zip file; those that may be run have * behind their name.
func unzip(t *testing.T, path string) map[string]string {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files := map[string]string{}
	for _, f := range r.File {
		if !f.Modified.Equal(at.Truncate(1e9)) {
			t.Errorf("%s is of %v, want %v", f.Name, f.Modified, at)
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil {
			t.Fatal(err)
		}
		name := f.Name
		if f.Mode()&0o111 != 0 {
			name += "*"
		}
		files[name] = string(content)
	}
	return files
}

// untar gives the files of a compressed tar file.
func untar(t *testing.T, content []byte) map[string]string {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	archive := tar.NewReader(unzipped)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || !h.ModTime.Equal(at.Truncate(1e9)) {
			t.Errorf("%s belongs to %d:%d and is of %v", h.Name, h.Uid, h.Gid, h.ModTime)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		name := h.Name
		if h.Mode&0o111 != 0 && h.Typeflag == tar.TypeReg {
			name += "*"
		}
		files[name] = string(text)
	}
}

// unar gives the files of an ar archive.
func unar(t *testing.T, content []byte) map[string][]byte {
	t.Helper()
	rest, ok := bytes.CutPrefix(content, []byte("!<arch>\n"))
	if !ok {
		t.Fatal("no ar archive")
	}
	files := map[string][]byte{}
	for len(rest) > 0 {
		var name string
		var seconds, user, group, mode, size int
		if _, err := fmt.Sscanf(string(rest[:60]), "%s %d %d %d %o %d `\n", &name, &seconds, &user, &group, &mode, &size); err != nil {
			t.Fatal(err)
		}
		files[name] = rest[60 : 60+size]
		rest = rest[60+size+size%2:]
	}
	return files
}

func TestTar(t *testing.T) {
	t.Parallel()
	a, err := Make(t.TempDir(), Tar, shop(), at, small(t, "linux"))
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(a.Path)
	if err != nil {
		t.Fatal(err)
	}
	files := untar(t, content)
	const folder = "shop_1.2.0-rc.1_linux_arm64/"
	if files[folder+"bin/shop*"] != "a program for linux" {
		t.Errorf("the program is not in %q", files)
	}
	for _, want := range []string{"cp -r bin share ~/.local/", "libwebkit2gtk-4.1-0", "--mcp"} {
		if !strings.Contains(files[folder+"INSTALL.txt"], want) {
			t.Errorf("INSTALL.txt does not say %q:\n%s", want, files[folder+"INSTALL.txt"])
		}
	}
	want := `[Desktop Entry]
Type=Application
Name=Shop & Söhne
Comment=Products and orders
Exec=shop
Icon=com.example.shop
Terminal=false
StartupNotify=true
StartupWMClass=shop
Categories=Office;Finance;
`
	if got := files[folder+"share/applications/com.example.shop.desktop"]; got != want {
		t.Errorf("the menu's entry is\n%s\nwant\n%s", got, want)
	}
	info := files[folder+"share/metainfo/com.example.shop.metainfo.xml"]
	for _, want := range []string{"<name>Shop &amp; Söhne</name>", "<p>For small shops, and for stalls.</p>\n    <p>It needs &lt;nothing&gt; else.</p>", `version="1.2.0-rc.1" date="2026-03-04"`} {
		if !strings.Contains(info, want) {
			t.Errorf("the metainfo does not say %s:\n%s", want, info)
		}
	}
	if _, err := png.Decode(strings.NewReader(files[folder+"share/icons/hicolor/256x256/apps/com.example.shop.png"])); err != nil {
		t.Errorf("the icon: %v", err)
	}
}

// emptyELF is a program for Linux with nothing in it.
func emptyELF() []byte {
	header := make([]byte, 64)
	copy(header, "\x7fELF\x02\x01\x01")
	header[16], header[18], header[20] = 2, 0xb7, 1 // a program for arm64, version 1
	header[52], header[54], header[58] = 64, 56, 64 // the sizes of headers
	return header
}

// TestDeb looks into the package without Debian's tools; scripts/bundle.sh installs one with them.
func TestDeb(t *testing.T) {
	t.Parallel()
	p := small(t, "linux")
	if err := os.WriteFile(p.Path, emptyELF(), 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := Make(t.TempDir(), Deb, shop(), at, p)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(a.Path)
	if err != nil {
		t.Fatal(err)
	}
	parts := unar(t, content)
	if string(parts["debian-binary"]) != "2.0\n" {
		t.Errorf("debian-binary is %q", parts["debian-binary"])
	}
	control := untar(t, parts["control.tar.gz"])
	for _, want := range []string{
		"Package: shop\nVersion: 1.2.0~rc.1\nArchitecture: arm64\nMaintainer: Ada Lovelace <ada@example.com>\n",
		"Depends: libwebkit2gtk-4.1-0 | libwebkitgtk-6.0-4, poppler-utils (>= 22)\n",
		"Description: Products and orders\n For small shops, and for stalls.\n .\n It needs <nothing> else.\n",
	} {
		if !strings.Contains(control["./control"], want) {
			t.Errorf("control does not say %q:\n%s", want, control["./control"])
		}
	}
	files := untar(t, parts["data.tar.gz"])
	for _, want := range []string{"./usr/bin/shop*", "./usr/share/applications/com.example.shop.desktop", "./usr/share/doc/shop/copyright"} {
		if files[want] == "" {
			t.Errorf("there is no %s", want)
		}
	}
	if lines := strings.Count(control["./md5sums"], "\n"); lines != 10 {
		t.Errorf("md5sums has %d lines:\n%s", lines, control["./md5sums"])
	}
}

func TestMCPB(t *testing.T) {
	t.Parallel()
	a, err := Make(t.TempDir(), MCPB, shop(), at, small(t, "linux"), small(t, "windows"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(a.Path, "shop_1.2.0-rc.1_linux_arm64_windows_arm64.mcpb") || a.OS != "linux,windows" {
		t.Errorf("Make = %+v", a)
	}
	files := unzip(t, a.Path)
	if files["server/linux/shop*"] != "a program for linux" || files["server/windows/shop.exe*"] != "a program for windows" {
		t.Errorf("the programs are not in %q", files)
	}
	var m manifest
	if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	config := m.Server.Config
	if config.Command != "${__dirname}/server/linux/shop" || !slices.Equal(config.Args, []string{"--mcp"}) ||
		config.Others["win32"].Command != "${__dirname}/server/windows/shop.exe" {
		t.Errorf("it is started by %+v", config)
	}
	if !slices.Equal(m.Compatibility.Platforms, []string{"linux", "win32"}) || len(m.Tools) != 2 || m.Author.Name != "Ada Lovelace" {
		t.Errorf("the manifest is %+v", m)
	}
	if _, err := Make(t.TempDir(), MCPB, shop(), at, small(t, "plan9")); err == nil || !strings.Contains(err.Error(), "plan9") {
		t.Errorf("for Plan 9: %v", err)
	}
}

func TestMacApp(t *testing.T) {
	t.Parallel()
	p := small(t, "darwin")
	p.Window = false
	a, err := Make(t.TempDir(), MacApp, shop(), at, p)
	if err != nil {
		t.Fatal(err)
	}
	files := unzip(t, a.Path)
	const folder = "Shop & Söhne.app/Contents/"
	if files[folder+"MacOS/shop*"] != "a program for darwin" {
		t.Errorf("the program is not in %q", files)
	}
	list := files[folder+"Info.plist"]
	if err := xml.Unmarshal([]byte(list), new(struct{})); err != nil {
		t.Errorf("Info.plist: %v", err)
	}
	for _, want := range []string{"<string>Shop &amp; Söhne</string>", "<string>com.example.shop</string>", "<string>1.2.0</string>", "LSBackgroundOnly"} {
		if !strings.Contains(list, want) {
			t.Errorf("Info.plist does not say %s:\n%s", want, list)
		}
	}
	icons := files[folder+"Resources/icon.icns"]
	if !strings.HasPrefix(icons, "icns") || int(binary.BigEndian.Uint32([]byte(icons[4:8]))) != len(icons) {
		t.Errorf("icon.icns begins with %q", icons[:8])
	}
	if _, err := png.Decode(strings.NewReader(icons[16:])); err != nil || icons[8:12] != "ic07" {
		t.Errorf("the first picture: %v", err)
	}
}

func TestWindowsFolder(t *testing.T) {
	t.Parallel()
	a, err := Make(t.TempDir(), Windows, shop(), at, small(t, "windows"))
	if err != nil {
		t.Fatal(err)
	}
	files := unzip(t, a.Path)
	const folder = "shop_1.2.0-rc.1_windows_arm64/"
	if files[folder+"shop.exe*"] != "a program for windows" {
		t.Errorf("the program is not in %q", files)
	}
	if readme := files[folder+"README.txt"]; !strings.Contains(readme, "WebView2") || strings.Count(readme, "\n") != strings.Count(readme, "\r\n") {
		t.Errorf("README.txt is %q", readme)
	}
}

func TestIcons(t *testing.T) {
	t.Parallel()
	one, other := shop(), shop()
	other.ID = "com.example.stall"
	first, err := one.icons(48, 256)
	if err != nil {
		t.Fatal(err)
	}
	second, err := other.icons(48)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(first[0].png, second[0].png) {
		t.Error("two apps have the same icon")
	}
	// A file of one's own is only made smaller.
	one.Icon = first[1].png
	own, err := one.icons(128, 256, 512)
	if err != nil {
		t.Fatal(err)
	}
	if len(own) != 2 || own[0].size != 128 || own[1].size != 256 {
		t.Fatalf("the sizes are %v", own)
	}
	before, err := png.Decode(bytes.NewReader(first[1].png))
	if err != nil {
		t.Fatal(err)
	}
	after, err := png.Decode(bytes.NewReader(own[0].png))
	if err != nil {
		t.Fatal(err)
	}
	if after.Bounds().Dx() != 128 {
		t.Errorf("the small one has %v", after.Bounds())
	}
	r, g, b, _ := before.At(30, 128).RGBA()
	r2, g2, b2, _ := after.At(15, 64).RGBA()
	if near := func(a, b uint32) bool { return max(a, b)-min(a, b) < 0x300 }; !near(r, r2) || !near(g, g2) || !near(b, b2) {
		t.Errorf("the colour %x %x %x became %x %x %x", r, g, b, r2, g2, b2)
	}
}

// FuzzIcon holds that a file that claims to be an icon is taken or refused, and what is taken can be used.
func FuzzIcon(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	icons, err := (&App{ID: "com.example.shop"}).icons(128)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(icons[0].png)
	f.Fuzz(func(t *testing.T, file []byte) {
		if _, err := decodeIcon(file); err != nil {
			return
		}
		if _, err := (&App{Icon: file}).icons(48); err != nil {
			t.Error(err)
		}
	})
}
