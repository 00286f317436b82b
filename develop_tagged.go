//go:build elyradev

package elyra

import (
	"io/fs"

	"github.com/elyra-go/elyra/internal/bridge"
	"github.com/elyra-go/elyra/internal/devpage"
)

// develop gives what windows show in place of the app's files while it is developed by rata dev, which
// builds with the tag elyradev: the files on the disk, or those of the frontend's development server.
func (in *Instance) develop(assets fs.FS) (fs.FS, bridge.Developer, error) {
	o := devpage.Options{Dir: in.env.Getenv("ELYRA_DEV_ASSETS"), Server: in.env.Getenv("ELYRA_DEV_SERVER"), Policy: bridge.Policy}
	if !in.env.development() || o.Dir == "" && o.Server == "" {
		return assets, nil, nil
	}
	d, err := devpage.New(o)
	if err != nil {
		return nil, nil, err
	}
	if files := d.Files(); files != nil {
		assets = files
	}
	return assets, d, nil
}
