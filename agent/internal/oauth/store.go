package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

// FileName is the file below the agent's folder that holds what logins gave.
const FileName = "extension-credentials.json"

// section is the member of the file that is ours; others belong to other extensions and are kept as they are.
const section = "mcp"

// Files is what a Store needs of the agent's folder.
type Files interface {
	// Read returns a file; an absent one is fs.ErrNotExist.
	Read(name string) ([]byte, error)
	// Update changes a file under its lock. Change gets nil for an absent file.
	Update(ctx context.Context, name string, change func(old []byte) ([]byte, error)) error
	// Lock waits for a lock that one process holds at a time.
	Lock(ctx context.Context, name string) (unlock func(), err error)
}

// Store is the credentials file. Its methods may be called from several goroutines, and several processes may use the
// same file.
type Store struct {
	files Files
	// login is held by the one login of this process that has the redirect address.
	login chan struct{}
}

// New returns the store in the agent's folder. It touches no file.
func New(files Files) *Store {
	return &Store{files: files, login: make(chan struct{}, 1)}
}

// record is what is kept of one server for one identity. Generation grows with each change of the tokens, so that whoever
// deletes them deletes those that were refused and no newer ones.
type record struct {
	Identity   string    `json:"identity"`
	Resource   string    `json:"resource"` // the server's canonical URL
	Audience   string    `json:"audience"` // what tokens are asked for: the resource as the server names it
	Zone       zone.Zone `json:"zone"`     // where the server is, see zone
	Issuer     string    `json:"issuer"`
	Client     client    `json:"client,omitzero"`
	Tokens     tokens    `json:"tokens,omitzero"`
	Asked      []string  `json:"asked,omitzero"`   // scopes that were asked for, ever
	Wanted     []string  `json:"wanted,omitzero"`  // scopes that the server demanded since
	Subject    string    `json:"subject,omitzero"` // random, new with each login
	Generation int64     `json:"generation"`
}

// key names a record in the file and its lock.
func key(identity, resource string) string {
	sum := sha256.Sum256([]byte(identity + "\x00" + resource))
	return hex.EncodeToString(sum[:12])
}

// errBroken tells what to do about a file that is no JSON object. It is never overwritten.
func errBroken(err error) error {
	return fmt.Errorf("%s is damaged: move it away and log in again: %w", FileName, err)
}

// parseFile reads the file into its records, each still as it is, and the rest.
func parseFile(data []byte) (records, others map[string]jsontext.Value, err error) {
	records, others = map[string]jsontext.Value{}, map[string]jsontext.Value{}
	if len(data) == 0 {
		return records, others, nil
	}
	if err := json.Unmarshal(data, &others); err != nil {
		return nil, nil, errBroken(err)
	}
	if ours, ok := others[section]; ok {
		if err := json.Unmarshal(ours, &records); err != nil {
			return nil, nil, errBroken(err)
		}
	}
	if records == nil {
		records = map[string]jsontext.Value{}
	}
	if others == nil {
		others = map[string]jsontext.Value{}
	}
	return records, others, nil
}

// pick returns one record of those of a file. One that cannot be read, or that is not what its key says, counts as absent.
func pick(records map[string]jsontext.Value, identity, resource string) (record, bool) {
	raw, ok := records[key(identity, resource)]
	if !ok {
		return record{}, false
	}
	var r record
	if json.Unmarshal(raw, &r) != nil || r.Identity != identity || r.Resource != resource || !r.valid() {
		return record{}, false
	}
	return r, true
}

// valid reports whether a record's parts may be used: the file may have been edited.
func (r record) valid() bool {
	if r.Tokens.Access != "" && !validToken(r.Tokens.Access) || r.Tokens.Refresh != "" && !validToken(r.Tokens.Refresh) {
		return false
	}
	return r.Generation >= 0
}

// load returns the record of one server, without a lock: the file is replaced as a whole.
func (s *Store) load(identity, resource string) (record, bool, error) {
	data, err := s.files.Read(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, false, nil
	}
	if err != nil {
		return record{}, false, err
	}
	records, _, err := parseFile(data)
	if err != nil {
		return record{}, false, err
	}
	r, ok := pick(records, identity, resource)
	return r, ok, nil
}

// empty reports whether a record holds nothing worth keeping.
func (r record) empty() bool { return r.Issuer == "" && len(r.Wanted) == 0 }

// change replaces the record of one server by what edit makes of it, nil or an empty one removes it. An absent record is
// the zero value.
func (s *Store) change(ctx context.Context, identity, resource string, edit func(old record) *record) error {
	return s.files.Update(ctx, FileName, func(data []byte) ([]byte, error) {
		records, others, err := parseFile(data)
		if err != nil {
			return nil, err
		}
		old, _ := pick(records, identity, resource)
		id := key(identity, resource)
		next := edit(old)
		if next == nil || next.empty() {
			if _, ok := records[id]; !ok {
				return data, nil
			}
			delete(records, id)
		} else {
			next.Identity, next.Resource = identity, resource
			if records[id], err = json.Marshal(next); err != nil {
				return nil, err
			}
		}
		if others[section], err = json.Marshal(records, json.Deterministic(true)); err != nil {
			return nil, err
		}
		return json.Marshal(others, json.Deterministic(true), jsontext.WithIndent("  "))
	})
}

// lock waits until this process alone may use the refresh token of a record. It waits longer than a refresh takes.
func (s *Store) lock(ctx context.Context, identity, resource string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	return s.files.Lock(ctx, "locks/oauth-"+key(identity, resource))
}

// lockTime is how long a process waits for another one's refresh: its requests for metadata and the one for the token.
const lockTime = 90 * time.Second
