package look

import "testing"

func TestDetect(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		environ []string
		want    Colors
	}{
		{nil, ANSI},
		{[]string{"TERM=dumb", "COLORTERM=truecolor"}, None},
		{[]string{"TERM=xterm-256color", "NO_COLOR=1"}, None},
		{[]string{"TERM=xterm-256color", "NO_COLOR="}, Many},
		{[]string{"TERM=xterm", "COLORTERM=24bit"}, Many},
		{[]string{"TERM=xterm-256color", "TERM=linux"}, ANSI},
	} {
		if got := Detect(test.environ); got != test.want {
			t.Errorf("Detect(%q) = %d, want %d", test.environ, got, test.want)
		}
	}
}
