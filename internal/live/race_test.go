//go:build race

package live_test

// slowness is by how much the race detector slows SQLite down, roughly.
const slowness = 10
