//go:build !linux

package main

import (
	"github.com/elyra-go/elyra/contrib/wails"
	"github.com/elyra-go/elyra/window"
)

// backend is Wails' on macOS and Windows. A program built for macOS without cgo says how to build it when it is to open a
// window; agents it serves all the same.
func backend() window.Backend { return wails.Backend() }
