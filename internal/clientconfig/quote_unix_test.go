//go:build unix

package clientconfig

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// FuzzQuotePOSIX has the shell split what Quote joined.
func FuzzQuotePOSIX(f *testing.F) {
	for _, seed := range []string{"", "plain", "two words", "it's", "$HOME `id` \\ \" * ~", "a\nb", "-n", "клиенты", "\xff"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		words := []string{first, second}
		if strings.Contains(first+second, "\x00") {
			return // no argument of a program can hold one
		}
		line := Quote("linux", append([]string{"printf", `%s\0`}, words...))
		out, err := exec.Command("sh", "-c", line).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
			t.Errorf("sh reads %s as %q, want %q", line, got, words)
		}
	})
}
