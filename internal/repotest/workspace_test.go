package repotest

import (
	"encoding/json"
	"path"
	"slices"
	"testing"
)

// outside lists the modules whose folders are in the repository and in ours, but not in theirs.
func outside(ours, theirs []string) []string {
	var missing []string
	for _, folder := range ours {
		if !slices.ContainsFunc(theirs, func(use string) bool { return path.Clean(use) == folder }) {
			missing = append(missing, folder)
		}
	}
	return missing
}

// The Makefile's checks run over the modules of go.work, so one that is not there would be checked by nothing.
func TestWorkspaceHasEveryModule(t *testing.T) {
	t.Parallel()
	output, err := goCommand(".", "work", "edit", "-json", "go.work").Output()
	if err != nil {
		t.Fatalf("go work edit -json: %v", err)
	}
	var workspace struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(output, &workspace); err != nil {
		t.Fatal(err)
	}
	var uses []string
	for _, use := range workspace.Use {
		uses = append(uses, use.DiskPath)
	}
	for _, folder := range outside(modules(t), uses) {
		t.Errorf("%s/go.mod is not in go.work: run 'go work use ./%s', so that make test and make check see it", folder, folder)
	}
}

func TestOutside(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		ours, theirs []string
		want         []string
	}{
		{"all there", []string{".", "a", "b/c"}, []string{".", "./a", "./b/c"}, nil},
		{"one forgotten", []string{".", "a", "b/c"}, []string{".", "./b"}, []string{"a", "b/c"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := outside(test.ours, test.theirs); !slices.Equal(got, test.want) {
				t.Errorf("outside = %q, want %q", got, test.want)
			}
		})
	}
}
