// Package ui holds the pages of the CRM's window.
package ui

import (
	"embed"
	"io/fs"
)

//go:embed dist
var files embed.FS

// Dist returns the files of the window's page.
func Dist() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // the folder is embedded: its name is right or the program does not build
	}
	return dist
}
