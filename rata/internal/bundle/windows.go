package bundle

import (
	"fmt"
	"io"
	"strings"
)

// windows is a zip file with a folder for Windows.
func (m *maker) windows(p Program) (func(io.Writer) error, error) {
	files := under(m.name, []entry{
		program(m.app.Package+".exe", p.Path),
		text("README.txt", strings.ReplaceAll(m.windowsText(p), "\n", "\r\n")),
	})
	return func(w io.Writer) error { return writeZip(w, files, m.time) }, nil
}

func (m *maker) windowsText(p Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s for Windows (%s)\n\n", m.app.Name, m.app.Version, p.Arch)
	fmt.Fprintf(&b, "It runs from where it is: %s.exe. Move the folder to where it is to stay, for example\n%%LOCALAPPDATA%%\\Programs.\n", m.app.Package)
	if p.Window {
		b.WriteString("\nThe window needs Microsoft's WebView2, which is part of Windows 11 and of Windows 10 with current updates.\n")
	}
	b.WriteString(m.agentText(`C:\Users\you\AppData\Local\Programs\` + m.name + `\` + m.app.Package + ".exe"))
	return b.String()
}
