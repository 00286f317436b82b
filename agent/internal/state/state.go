// Package state owns mcp-state.json: which servers the user has switched off, whatever the configuration says.
//
// It promises that a server of a project is never taken for the user's server of the same name or another project's, and
// that a damaged file is said, counts as empty, and is kept beside the one that replaces it.
//
// It must not import another package of the agent than home.
package state

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const fileName = "mcp-state.json"

// ErrDamaged marks a file that makes no sense. It counts as empty.
var ErrDamaged = errors.New("damaged file")

// Server names a configured server: the user's, or with Project one that the files of the project in that folder define.
type Server struct {
	Name    string `json:"name"`
	Project string `json:"project,omitempty"`
}

// Disabled holds the servers that are switched off.
type Disabled map[Server]bool

// Store reads and writes the file.
type Store struct{ dir *home.Dir }

// New returns the store in the agent's folder.
func New(dir *home.Dir) *Store { return &Store{dir} }

// Disabled returns the servers that are switched off. With [ErrDamaged] there are none, and the program can go on.
func (s *Store) Disabled() (Disabled, error) {
	data, err := s.dir.Read(fileName)
	if errors.Is(err, fs.ErrNotExist) {
		return Disabled{}, nil
	}
	if err != nil {
		return Disabled{}, fmt.Errorf("read which servers are disabled: %w", err)
	}
	disabled, err := decode(data)
	if err != nil {
		return Disabled{}, fmt.Errorf("read which servers are disabled: %s: %w: %w; no server counts as disabled, and the next "+
			"change keeps the file under another name", s.dir.Path(fileName), ErrDamaged, err)
	}
	return disabled, nil
}

// Set switches a server off or on. Changes of other processes are kept.
func (s *Store) Set(ctx context.Context, server Server, disabled bool) error {
	err := s.dir.Update(ctx, fileName, func(old []byte) ([]byte, error) {
		servers, err := decode(old)
		if err != nil {
			if _, err := s.dir.SetAside(fileName); err != nil {
				return nil, err
			}
			servers, old = Disabled{}, nil
		}
		if servers[server] == disabled {
			return old, nil
		}
		if disabled {
			servers[server] = true
		} else {
			delete(servers, server)
		}
		return servers.encode()
	})
	if err != nil {
		return fmt.Errorf("save whether server %q is disabled: %w", server.Name, err)
	}
	return nil
}

// decode reads the file's content. A bare name, which a person may have written, is a server of the user.
func decode(data []byte) (Disabled, error) {
	disabled := Disabled{}
	if len(bytes.TrimSpace(data)) == 0 {
		return disabled, nil
	}
	var file struct {
		Disabled []jsontext.Value `json:"disabled"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	for _, value := range file.Disabled {
		var server Server
		into := any(&server)
		if value.Kind() == '"' {
			into = &server.Name
		}
		if err := json.Unmarshal(value, into); err != nil {
			return nil, err
		}
		if server.Name == "" {
			return nil, errors.New("a server without a name")
		}
		disabled[server] = true
	}
	return disabled, nil
}

func (d Disabled) encode() ([]byte, error) {
	list := slices.SortedFunc(maps.Keys(d), func(a, b Server) int {
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.Name, b.Name))
	})
	data, err := json.Marshal(map[string][]Server{"disabled": list}, jsontext.WithIndent("  "))
	return append(data, '\n'), err
}
