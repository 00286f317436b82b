package bundle

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// linuxFiles are what lies below /usr, /usr/local or ~/.local, and the same in each of them.
func (m *maker) linuxFiles(p Program) ([]entry, error) {
	files := []entry{program("bin/"+m.app.Package, p.Path)}
	if !p.Window {
		return files, nil
	}
	icons, err := m.app.icons(48, 64, 128, 256, 512)
	if err != nil {
		return nil, err
	}
	for _, i := range icons {
		files = append(files, data(fmt.Sprintf("share/icons/hicolor/%dx%d/apps/%s.png", i.size, i.size, m.app.ID), i.png))
	}
	info, err := m.metainfo()
	if err != nil {
		return nil, err
	}
	return append(files,
		text("share/applications/"+m.app.ID+".desktop", m.desktopFile()),
		data("share/metainfo/"+m.app.ID+".metainfo.xml", info)), nil
}

// desktopFile is the entry in the desktop's menu. Windows belong to it by the program's name, which is
// what their toolkit calls their class.
func (m *maker) desktopFile() string {
	escape := strings.NewReplacer(`\`, `\\`).Replace
	var b strings.Builder
	b.WriteString("[Desktop Entry]\nType=Application\n")
	fmt.Fprintf(&b, "Name=%s\n", escape(m.app.Name))
	fmt.Fprintf(&b, "Comment=%s\n", escape(m.app.summary()))
	fmt.Fprintf(&b, "Exec=%s\nIcon=%s\nTerminal=false\nStartupNotify=true\nStartupWMClass=%s\n", m.app.Package, m.app.ID, m.app.Package)
	fmt.Fprintf(&b, "Categories=%s;\n", strings.Join(m.app.categories(), ";"))
	return b.String()
}

func (a *App) categories() []string {
	if len(a.Categories) == 0 {
		return []string{"Utility"}
	}
	return a.Categories
}

// component is an AppStream file: what software centres show.
type component struct {
	XMLName         xml.Name    `xml:"component"`
	Type            string      `xml:"type,attr"`
	ID              string      `xml:"id"`
	MetadataLicense string      `xml:"metadata_license"`
	ProjectLicense  string      `xml:"project_license,omitempty"`
	Name            string      `xml:"name"`
	Summary         string      `xml:"summary"`
	Description     []string    `xml:"description>p"`
	Launchable      launchable  `xml:"launchable"`
	Homepage        *link       `xml:"url"`
	Developer       *developer  `xml:"developer"`
	Binary          string      `xml:"provides>binary"`
	Rating          rating      `xml:"content_rating"`
	Releases        []appstream `xml:"releases>release"`
}

type launchable struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type link struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type developer struct {
	ID   string `xml:"id,attr"`
	Name string `xml:"name"`
}

type rating struct {
	Type string `xml:"type,attr"`
}

type appstream struct {
	Version string `xml:"version,attr"`
	Date    string `xml:"date,attr"`
}

func (m *maker) metainfo() ([]byte, error) {
	c := component{
		Type: "desktop-application", ID: m.app.ID, MetadataLicense: "CC0-1.0", ProjectLicense: m.app.License,
		Name: m.app.Name, Summary: m.app.summary(), Description: m.longText(),
		Launchable: launchable{"desktop-id", m.app.ID + ".desktop"},
		Binary:     m.app.Package, Rating: rating{"oars-1.1"},
		Releases: []appstream{{m.app.Version, m.time.Format("2006-01-02")}},
	}
	if m.app.Homepage != "" {
		c.Homepage = &link{"homepage", m.app.Homepage}
	}
	if name := m.app.maintainer().Name; name != "" {
		id := m.app.ID[:strings.LastIndexByte(m.app.ID, '.')]
		c.Developer = &developer{strings.ToLower(id), name}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	encoder := xml.NewEncoder(&b)
	encoder.Indent("", "  ")
	if err := encoder.Encode(c); err != nil {
		return nil, err
	}
	b.WriteString("\n")
	return b.Bytes(), nil
}

// tar is a folder to unpack anywhere, for Linux and macOS.
func (m *maker) tar(p Program) (func(io.Writer) error, error) {
	files := []entry{program("bin/"+m.app.Package, p.Path)}
	if p.OS == "linux" {
		var err error
		if files, err = m.linuxFiles(p); err != nil {
			return nil, err
		}
	}
	files = append(files, text("INSTALL.txt", m.installText(p)))
	return func(w io.Writer) error { return writeTarGz(w, "", under(m.name, files), m.time) }, nil
}

func (m *maker) installText(p Program) string {
	what := "bin"
	if p.OS == "linux" && p.Window {
		what = "bin share"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s for %s (%s)\n\n", m.app.Name, m.app.Version, systemName(p.OS), p.Arch)
	fmt.Fprintf(&b, "It runs from where it is: bin/%s. To install it, in this folder:\n\n", m.app.Package)
	fmt.Fprintf(&b, "  mkdir -p ~/.local && cp -r %s ~/.local/      for you alone; ~/.local/bin has to be in PATH\n", what)
	fmt.Fprintf(&b, "  sudo cp -r %s /usr/local/                    for everybody\n", what)
	if p.OS == "linux" && p.Window {
		b.WriteString("\nThe window needs WebKitGTK 4.1: on Debian and Ubuntu sudo apt-get install libwebkit2gtk-4.1-0,\n" +
			"on Fedora sudo dnf install webkit2gtk4.1, on Arch sudo pacman -S webkit2gtk-4.1.\n")
	}
	b.WriteString(m.agentText("/usr/local/bin/" + m.app.Package))
	return b.String()
}

// agentText says how an MCP client starts the installed program.
func (m *maker) agentText(path string) string {
	if len(m.app.Tools) == 0 {
		return ""
	}
	return fmt.Sprintf("\nFor an MCP client, such as Claude or Cursor, the command is the program's full path,\nfor example %s, with the argument --mcp.\n", path)
}

// systemName is what people call a system.
func systemName(system string) string {
	switch system {
	case "linux":
		return "Linux"
	case "darwin":
		return "macOS"
	case "windows":
		return "Windows"
	}
	return system
}
