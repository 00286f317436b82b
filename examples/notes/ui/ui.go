// Package ui holds the page of the notes app's window.
package ui

import "embed"

// Files are the files of the page.
//
//go:embed index.html app.js
var Files embed.FS
