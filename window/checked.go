package window

import "fmt"

// Checked gives the options of the windows that are to be opened with their defaults, or says why they cannot be opened together.
func Checked(windows []Options) ([]Options, error) {
	if len(windows) == 0 {
		return nil, fmt.Errorf("open windows: there is none to open; add a Window to the app")
	}
	checked := make([]Options, len(windows))
	seen := map[string]bool{}
	for i, o := range windows {
		checked[i] = o.WithDefaults()
		id := checked[i].ID
		if seen[id] {
			return nil, fmt.Errorf("open windows: two have the id %q; give each its own", id)
		}
		seen[id] = true
	}
	return checked, nil
}
