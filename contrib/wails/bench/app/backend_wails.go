//go:build gtk3

package main

import (
	"github.com/elyra-go/elyra/contrib/wails"
	"github.com/elyra-go/elyra/window"
)

func backend() window.Backend { return wails.Backend() }
