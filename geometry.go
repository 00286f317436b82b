package elyra

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/elyra-go/elyra/window"
)

// geometry remembers how large the user left the windows, in a file of the app's data folder.
type geometry struct {
	file string
	log  *slog.Logger

	mu    sync.Mutex
	sizes map[string]windowSize // by window id
}

type windowSize struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximized bool `json:"maximized,omitempty"`
}

// maxRemembered bounds the file: ids of windows may be made up as an app goes.
const maxRemembered = 100

// loadGeometry reads what was saved. A file that cannot be read is as good as none.
func loadGeometry(dataDir string, log *slog.Logger) *geometry {
	g := &geometry{file: filepath.Join(dataDir, "windows.json"), log: log, sizes: map[string]windowSize{}}
	text, err := os.ReadFile(g.file)
	if err == nil {
		err = json.Unmarshal(text, &g.sizes)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Warn("the sizes of the windows are forgotten", "error", err)
		g.sizes = map[string]windowSize{}
	}
	return g
}

// apply gives a window the size it was left with.
func (g *geometry) apply(o window.Options) window.Options {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s, ok := g.sizes[o.ID]; ok && s.Width > 0 && s.Height > 0 {
		o.Width, o.Height, o.Maximized = s.Width, s.Height, s.Maximized
	}
	return o
}

// KeepGeometry implements window.GeometryKeeper.
func (g *geometry) KeepGeometry(windowID string, now window.Geometry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.sizes[windowID]; known || len(g.sizes) < maxRemembered {
		g.sizes[windowID] = windowSize{now.Width, now.Height, now.Maximized}
	}
}

// save writes the sizes, beside the old file first: a crash loses no more than the new ones.
func (g *geometry) save() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.sizes) == 0 {
		return
	}
	text, err := json.Marshal(g.sizes)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(g.file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(g.file+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(g.file+".new", g.file)
	}
	if err != nil {
		g.log.Warn("the sizes of the windows are not remembered", "error", err)
	}
}
