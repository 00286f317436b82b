//go:build !race

package live_test

// slowness is 1 without the race detector.
const slowness = 1
