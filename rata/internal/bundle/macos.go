package bundle

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"io"
	"strings"
)

// macApp is a zip file with a .app.
func (m *maker) macApp(p Program) (func(io.Writer) error, error) {
	icons, err := m.app.icons(128, 256, 512, 1024)
	if err != nil {
		return nil, err
	}
	files := []entry{
		program("MacOS/"+m.app.Package, p.Path),
		text("Info.plist", m.infoList(p)),
		text("PkgInfo", "APPL????"),
		data("Resources/icon.icns", icns(icons)),
	}
	files = under(m.app.Name+".app/Contents", files)
	return func(w io.Writer) error { return writeZip(w, files, m.time) }, nil
}

// infoList is the property list that says what the app is. One without a window has no place in the Dock.
func (m *maker) infoList(p Program) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
`)
	short, _, _ := strings.Cut(m.app.Version, "-") // macOS takes numbers alone
	short, _, _ = strings.Cut(short, "+")
	for _, pair := range [][2]string{
		{"CFBundleDevelopmentRegion", "en"},
		{"CFBundleExecutable", m.app.Package},
		{"CFBundleIconFile", "icon"},
		{"CFBundleIdentifier", m.app.ID},
		{"CFBundleInfoDictionaryVersion", "6.0"},
		{"CFBundleName", m.app.Name},
		{"CFBundleDisplayName", m.app.Name},
		{"CFBundlePackageType", "APPL"},
		{"CFBundleShortVersionString", short},
		{"CFBundleVersion", short},
		{"LSMinimumSystemVersion", "12.0"}, // of Go 1.26
	} {
		b.WriteString("\t<key>" + pair[0] + "</key>\n\t<string>" + escaped(pair[1]) + "</string>\n")
	}
	b.WriteString("\t<key>NSHighResolutionCapable</key>\n\t<true/>\n")
	if !p.Window {
		b.WriteString("\t<key>LSBackgroundOnly</key>\n\t<true/>\n")
	}
	b.WriteString("</dict>\n</plist>\n")
	return b.String()
}

func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a bytes.Buffer takes everything
	return b.String()
}

// icnsTypes are the names of sizes in an icns file.
var icnsTypes = map[int]string{128: "ic07", 256: "ic08", 512: "ic09", 1024: "ic10"}

// icns is a file of pictures as macOS has it: PNG files, each behind its type and length.
func icns(icons []icon) []byte {
	var parts []byte
	for _, i := range icons {
		parts = append(parts, icnsTypes[i.size]...)
		parts = binary.BigEndian.AppendUint32(parts, uint32(8+len(i.png)))
		parts = append(parts, i.png...)
	}
	return append(binary.BigEndian.AppendUint32([]byte("icns"), uint32(8+len(parts))), parts...)
}
