package config

import "cmp"

// Plan says what becomes of servers when files were read again. Each list is sorted by name, and no server is in two.
type Plan struct {
	Start   []Server // there was none of the name, or it was disabled
	Stop    []Server // as they were
	Restart []Server // as they are now: another target
	Keep    []Server // as they are now: their processes, connections and calls go on
}

// Reconcile compares two states of the configuration, both sorted by name as in a Set. A server is kept when what would be
// started or reached is the same; timeout and directTools change without a restart.
func Reconcile(old, new []Server) Plan {
	var p Plan
	for len(old) > 0 || len(new) > 0 {
		order := 0
		switch {
		case len(old) == 0:
			order = 1
		case len(new) == 0:
			order = -1
		default:
			order = cmp.Compare(old[0].Name, new[0].Name)
		}
		before := order <= 0 && !old[0].Disabled
		after := order >= 0 && !new[0].Disabled
		switch {
		case before && !after:
			p.Stop = append(p.Stop, old[0])
		case after && !before:
			p.Start = append(p.Start, new[0])
		case before && old[0].sameTarget(new[0]) && old[0].ShadowsUser == new[0].ShadowsUser:
			p.Keep = append(p.Keep, new[0])
		case before:
			p.Restart = append(p.Restart, new[0])
		}
		if order <= 0 {
			old = old[1:]
		}
		if order >= 0 {
			new = new[1:]
		}
	}
	return p
}
