//go:build !linux

package main

import "github.com/elyra-go/elyra/window"

// backend is nil where there is no window backend yet: the app still serves agents.
func backend() window.Backend { return nil }
