package bundle

import (
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// manifest is manifest.json of an MCP bundle, in version 0.3 of
// https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md.
type manifest struct {
	ManifestVersion  string         `json:"manifest_version"`
	Name             string         `json:"name"`
	DisplayName      string         `json:"display_name,omitempty"`
	Version          string         `json:"version"`
	Description      string         `json:"description"`
	LongDescription  string         `json:"long_description,omitempty"`
	Author           manifestAuthor `json:"author"`
	Homepage         string         `json:"homepage,omitempty"`
	Icon             string         `json:"icon"`
	Server           manifestServer `json:"server"`
	Tools            []manifestTool `json:"tools"`
	PromptsGenerated bool           `json:"prompts_generated,omitempty"`
	License          string         `json:"license,omitempty"`
	Compatibility    manifestFits   `json:"compatibility"`
}

type manifestAuthor struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
}

type manifestServer struct {
	Type       string        `json:"type"`
	EntryPoint string        `json:"entry_point"`
	Config     manifestStart `json:"mcp_config"`
}

type manifestStart struct {
	Command string                     `json:"command"`
	Args    []string                   `json:"args"`
	Others  map[string]manifestProgram `json:"platform_overrides,omitempty"`
}

type manifestProgram struct {
	Command string `json:"command"`
}

type manifestTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

type manifestFits struct {
	Platforms []string `json:"platforms"`
}

// platforms are the manifest's names of systems.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// mcpb is a zip file with a manifest and a program for each system.
func (m *maker) mcpb(programs []Program) (func(io.Writer) error, error) {
	icons, err := m.app.icons(512, 256, 128) // the largest that there is
	if err != nil {
		return nil, err
	}
	files := []entry{data("icon.png", icons[0].png)}
	author := m.app.maintainer()
	about := manifest{
		ManifestVersion: "0.3", Name: m.app.Package, DisplayName: m.app.Name, Version: m.app.Version, Description: m.app.summary(),
		Author: manifestAuthor{author.Name, author.Address}, Homepage: m.app.Homepage, Icon: "icon.png",
		Server:           manifestServer{Type: "binary", Config: manifestStart{Args: []string{"--mcp"}, Others: map[string]manifestProgram{}}},
		PromptsGenerated: m.app.Prompts, License: m.app.License, Tools: []manifestTool{},
	}
	for i, p := range m.app.paragraphs() {
		if i > 0 {
			about.LongDescription += "\n\n"
		}
		about.LongDescription += p
	}
	for _, t := range m.app.Tools {
		about.Tools = append(about.Tools, manifestTool(t))
	}
	for i, p := range programs {
		platform, ok := platforms[p.OS]
		if !ok {
			return nil, fmt.Errorf("MCP bundles know no system %s", p.OS)
		}
		name := path.Join("server", p.OS, m.app.Package)
		if p.OS == "windows" {
			name += ".exe"
		}
		files = append(files, program(name, p.Path))
		about.Compatibility.Platforms = append(about.Compatibility.Platforms, platform)
		command := "${__dirname}/" + name
		if i == 0 {
			about.Server.EntryPoint, about.Server.Config.Command = name, command
		} else {
			about.Server.Config.Others[platform] = manifestProgram{command}
		}
	}
	if len(programs) == 0 {
		return nil, errors.New("no program to put into it")
	}
	content, err := json.Marshal(about, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	files = append(files, data("manifest.json", append(content, '\n')))
	return func(w io.Writer) error { return writeZip(w, files, m.time) }, nil
}
