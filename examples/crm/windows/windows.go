// Package windows holds the command that opens another window of the CRM.
package windows

import (
	"context"

	"github.com/elyra-go/elyra"
)

//go:generate go run github.com/elyra-go/elyra/rata generate

// Open opens another window. It declares no ability: every window may do it, and no agent ever.
//
//elyra:command
func Open(ctx context.Context) error {
	return elyra.OpenWindow(ctx, elyra.Window{Width: 900, Height: 640})
}
