package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/jsonc"
)

// Define says for package trust what a project's settings would set: a hash of the file, and a line for each setting. Each
// command of a hook has a line of its own. Comments and white space do not count. It uses nothing of the file.
func Define(project string) (hash string, lines []string, err error) {
	const shown = ".elyra/" + fileName
	path := ProjectFile(project)
	data, err := home.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("look at the project's settings: %w", err)
	}
	doc, problem := jsonc.Parse(path, data, nil)
	if problem != nil {
		return sum("broken", data), []string{shown + " cannot be used: " + problem.Message}, nil
	}
	if len(doc.Root.Members) == 0 {
		return "", nil, nil
	}
	var set Set
	set.take(path, data, nil, true)
	for _, m := range doc.Root.Members {
		name := jsonc.NameOf(m)
		if _, known := fields(reflect.TypeFor[Settings]())[name]; !known || name == "hooks" {
			continue // what is not known does nothing
		}
		text := canonical(m.Value)
		if len(text) > maxLine {
			text = append(text[:maxLine:maxLine], "…"...)
		}
		lines = append(lines, shown+": "+name+" = "+string(text))
	}
	for _, event := range slices.Sorted(maps.Keys(set.Hooks)) {
		for _, group := range set.Hooks[event] {
			for _, h := range group.Hooks {
				lines = append(lines, fmt.Sprintf("%s: on %q for %q runs %q", shown, event, group.Matcher, h.Command))
			}
		}
	}
	return sum("settings", canonical(doc.Value)), lines, nil
}

func sum(kind string, data []byte) string {
	h := sha256.Sum256(append([]byte(kind+"\x00"), data...))
	return hex.EncodeToString(h[:])
}

// canonical returns a value as bytes that are the same for equal values.
func canonical(v hujson.Value) []byte {
	v = v.Clone()
	v.Standardize()
	v.Minimize()
	text := jsontext.Value(v.Pack())
	if err := text.Canonicalize(jsontext.AllowDuplicateNames(true), json.Deterministic(true)); err != nil {
		return v.Pack()
	}
	return text
}

// HooksOf returns the hooks of a project's settings, whether it is trusted or not: for package trust, which asks about them.
func HooksOf(project string) map[string][]HookGroup {
	var set Set
	data, err := home.ReadFile(ProjectFile(project), maxFile)
	set.take(ProjectFile(project), data, err, true)
	return set.Hooks
}
