package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/home"
)

const authFile = "auth.json"

// ErrDamaged marks an auth.json that makes no sense. It counts as empty, and the next change keeps it under another name.
var ErrDamaged = errors.New("damaged file")

// Key is a key that cannot be printed by mistake.
type Key struct{ secret string }

// Reveal returns the key itself.
func (k Key) Reveal() string { return k.secret }

// Format hides the key from every verb.
func (Key) Format(f fmt.State, _ rune) { f.Write([]byte("(not shown)")) } //nolint:errcheck // It is fmt's to say.

// LogValue hides the key from logs.
func (Key) LogValue() slog.Value { return slog.StringValue("(not shown)") }

// MarshalJSON hides the key from JSON.
func (Key) MarshalJSON() ([]byte, error) { return []byte(`"(not shown)"`), nil }

// Keys reads and writes auth.json.
type Keys struct {
	dir    *home.Dir
	getenv func(string) string
}

// NewKeys returns the keys in the agent's folder and the environment.
func NewKeys(dir *home.Dir, getenv func(string) string) *Keys { return &Keys{dir, getenv} }

// credential is an entry of the file.
type credential struct {
	Type string `json:"type"` // "api_key"
	Key  string `json:"key"`
}

// Find returns the key of a provider and where it was: the first of the environment variables that is set, else auth.json.
// Without one, from is "".
func (k *Keys) Find(provider string, variables ...string) (key Key, from string, err error) {
	for _, name := range variables {
		if secret := strings.TrimSpace(k.getenv(name)); name != "" && secret != "" {
			return Key{secret}, name, nil
		}
	}
	all, err := k.read()
	if err != nil {
		return Key{}, "", fmt.Errorf("find the key of %s: %w", provider, err)
	}
	var c credential
	if err := json.Unmarshal(all[provider], &c); err != nil || c.Key == "" {
		return Key{}, "", nil // not there, or what another program keeps
	}
	return Key{c.Key}, authFile, nil
}

// Providers returns the names that auth.json has keys for.
func (k *Keys) Providers() ([]string, error) {
	all, err := k.read()
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// Put stores the key of a provider.
func (k *Keys) Put(ctx context.Context, provider, secret string) error {
	secret = strings.TrimSpace(secret)
	if provider == "" || secret == "" || strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return errors.New("store a key: a key is one word, and belongs to a provider")
	}
	text, err := json.Marshal(credential{"api_key", secret})
	if err != nil {
		return errors.New("store a key: it is no text") // The error of the encoder would show it.
	}
	return k.update(ctx, provider, func(all map[string]jsontext.Value) { all[provider] = text })
}

// Remove forgets the key of a provider.
func (k *Keys) Remove(ctx context.Context, provider string) error {
	return k.update(ctx, provider, func(all map[string]jsontext.Value) { delete(all, provider) })
}

func (k *Keys) update(ctx context.Context, provider string, change func(map[string]jsontext.Value)) error {
	err := k.dir.Update(ctx, authFile, func(old []byte) ([]byte, error) {
		all, err := decodeKeys(old)
		if err != nil {
			if _, err := k.dir.SetAside(authFile); err != nil {
				return nil, err
			}
		}
		before := len(all)
		change(all)
		if len(all) == 0 && before == 0 && err == nil {
			return old, nil
		}
		data, err := json.Marshal(all, json.Deterministic(true), jsontext.WithIndent("  "))
		return append(data, '\n'), err
	})
	if err != nil {
		return fmt.Errorf("change the key of %s: %w", provider, err)
	}
	return nil
}

func (k *Keys) read() (map[string]jsontext.Value, error) {
	data, err := k.dir.Read(authFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all, err := decodeKeys(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it is no JSON object", k.dir.Path(authFile), err)
	}
	return all, nil
}

// decodeKeys reads the file's content. Its error says nothing of it.
func decodeKeys(data []byte) (map[string]jsontext.Value, error) {
	all := map[string]jsontext.Value{}
	if len(bytes.TrimSpace(data)) == 0 {
		return all, nil
	}
	if err := json.Unmarshal(data, &all); err != nil || all == nil {
		return map[string]jsontext.Value{}, ErrDamaged
	}
	return all, nil
}
