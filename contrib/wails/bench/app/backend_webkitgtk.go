//go:build !gtk3

package main

import (
	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/webkitgtk"
)

func backend() window.Backend { return webkitgtk.Backend() }
