package oauth

import (
	"testing"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	if h := w.header(s); h != "" {
		t.Fatalf("before the login: %q", h)
	}
	w.login(s)
	if h := w.header(s); h != "Bearer access-2" {
		t.Fatalf("after the login: %q", h)
	}
}
