package elyra

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/database"
)

// Env is what an app gets from its surroundings, given to the function that builds it. Nothing in
// the framework reads the process's environment behind its back.
type Env struct {
	// AppID is the app's reverse domain name, such as "dev.elyra.crm".
	AppID string
	// Version is the one in elyra.toml when rata build or rata bundle made the program, else the app's
	// module version, which the go command takes from a git tag, or "devel".
	Version string
	// ConfigDir, DataDir and CacheDir are the app's own folders; they need not exist yet.
	ConfigDir, DataDir, CacheDir string
	// RuntimeDir is the system's folder for sockets of the user, or "".
	RuntimeDir string
	// HomeConfigDir is what ConfigDir is when no variable moves it: where an MCP client that
	// starts the app with little more than HOME in its environment looks for the running app.
	HomeConfigDir string
	// Getenv looks up an environment variable.
	Getenv func(string) string
	// Now is the clock, Rand the source of randomness.
	Now  func() time.Time
	Rand io.Reader
	// Log is where the app logs: standard error.
	Log *slog.Logger
}

// NewEnv returns the Env of a process of the app appID: the folders follow HOME (the password
// database when it is unset) and XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME and
// XDG_RUNTIME_DIR; on macOS and Windows they follow the system's habits where those are unset.
func NewEnv(appID string, getenv func(string) string, log *slog.Logger) (*Env, error) {
	if appID == "" || appID != filepath.Base(appID) || appID == "." || appID == ".." {
		return nil, fmt.Errorf("app id %q: want a reverse domain name such as dev.example.notes", appID)
	}
	home := getenv("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		u, err := user.Current()
		if err != nil || u.HomeDir == "" {
			return nil, errors.Join(errors.New("find the home folder: HOME is unset and the user has none"), err)
		}
		home = u.HomeDir
	}
	config, data, cache := systemFolders(home, getenv)
	xdg := func(name, fallback string) string {
		if dir := getenv(name); filepath.IsAbs(dir) { // a relative one is to be ignored
			return filepath.Join(dir, appID)
		}
		return filepath.Join(fallback, appID)
	}
	return &Env{
		AppID: appID, Version: moduleVersion(),
		ConfigDir:     xdg("XDG_CONFIG_HOME", config),
		DataDir:       xdg("XDG_DATA_HOME", data),
		CacheDir:      xdg("XDG_CACHE_HOME", cache),
		RuntimeDir:    runtimeFolder(getenv),
		HomeConfigDir: filepath.Join(config, appID),
		Getenv:        getenv, Now: time.Now, Rand: rand.Reader, Log: log,
	}, nil
}

// systemFolders are where the system keeps configuration, data and caches of all apps.
func systemFolders(home string, getenv func(string) string) (config, data, cache string) {
	switch runtime.GOOS {
	case "darwin":
		support := filepath.Join(home, "Library", "Application Support")
		return support, support, filepath.Join(home, "Library", "Caches")
	case "windows":
		roaming, local := getenv("APPDATA"), getenv("LOCALAPPDATA")
		if roaming == "" {
			roaming = filepath.Join(home, "AppData", "Roaming")
		}
		if local == "" {
			local = filepath.Join(home, "AppData", "Local")
		}
		return roaming, local, local
	}
	return filepath.Join(home, ".config"), filepath.Join(home, ".local", "share"), filepath.Join(home, ".cache")
}

// runtimeFolder is the user's folder for sockets, which only Linux's session manager makes.
func runtimeFolder(getenv func(string) string) string {
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "linux" {
		return fmt.Sprintf("/run/user/%d", os.Getuid())
	}
	return ""
}

// releaseVersion is set by the linker when rata builds an app whose elyra.toml has a version.
var releaseVersion string

func moduleVersion() string {
	if releaseVersion != "" {
		return releaseVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// development reports whether the app is being developed: it then warns of what makes live queries
// stale, and shows its window the causes of errors.
func (e *Env) development() bool { return e.Getenv("ELYRA_DEV") == "1" }

// Database returns the app's database: the one that DATABASE_URL names when it is set, otherwise
// the file in the app's data folder, by the first driver. It is opened at its first use, and a
// mistake in the URL is reported then, by [App.Start]. A relative path in DATABASE_URL is relative
// to the working folder.
func (e *Env) Database(file string, drivers ...database.Driver) *sql.DB {
	db, err := e.openDatabase(file, drivers)
	if err != nil {
		return failedDB(err)
	}
	return db
}

func (e *Env) openDatabase(file string, drivers []database.Driver) (*sql.DB, error) {
	if len(drivers) == 0 {
		return nil, errors.New("open database: Env.Database was given no driver, such as sqlite.Driver()")
	}
	url := e.Getenv("DATABASE_URL")
	if url == "" {
		if file == "" {
			return nil, errors.New("open database: Env.Database was given no file name, and DATABASE_URL is unset")
		}
		first := drivers[0]
		return first.Open(database.OpenOptions{URL: first.Schemes()[0] + ":" + file, Dir: e.DataDir, Log: e.Log, Development: e.development()})
	}
	scheme, _, ok := strings.Cut(url, ":")
	var known []string
	for _, d := range drivers {
		if ok && slices.Contains(d.Schemes(), scheme) {
			return d.Open(database.OpenOptions{URL: url, Log: e.Log, Development: e.development()})
		}
		known = append(known, d.Schemes()...)
	}
	// The rest of the URL may hold a password: it is not repeated.
	if !ok {
		return nil, fmt.Errorf("open database: DATABASE_URL has no scheme; want one like %s:%s (known: %s)", known[0], file, strings.Join(known, ", "))
	}
	return nil, fmt.Errorf("open database: DATABASE_URL has the scheme %q; this app has drivers for: %s", scheme, strings.Join(known, ", "))
}
