//go:build !elyradev

package elyra

import (
	"io/fs"

	"github.com/elyra-go/elyra/internal/bridge"
)

// develop gives what windows show in place of the app's files while it is developed by rata dev. Only
// programs that rata dev builds can do that; this one shows what it embeds.
func (in *Instance) develop(assets fs.FS) (fs.FS, bridge.Developer, error) { return assets, nil, nil }
