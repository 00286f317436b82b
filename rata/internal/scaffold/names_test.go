package scaffold

import (
	"go/token"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/rata/internal/change"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, want string }{
		{"shop", ""},
		{"my-shop-2", ""},
		{"example", ""},
		{"", "needs a name"},
		{"MyShop", "for instance my-shop"},
		{"my shop", "for instance my-shop"},
		{"my_shop", "for instance my-shop"},
		{"Shop!", "for instance shop"},
		{"2shop", "begins with a letter"},
		{"-shop", "for instance shop"},
		{"--", "cannot be used"},
		{"магазин", "what people read in the window may be anything"},
		{"café", "what people read in the window may be anything"},
		{"sh\x1bop", "cannot be used"},
		{".", "is a path"},
		{"..", "is a path"},
		{"apps/shop", "is a path"},
		{`apps\shop`, "is a path"},
		{"func", "a word of the Go language"},
		{"log", "means something to Go"},
		{"internal", "means something to Go"},
		{"con", "is a device on Windows"},
		{strings.Repeat("a", maxName), ""},
		{strings.Repeat("a", maxName+1), "too long"},
	} {
		judge(t, "CheckName", test.name, CheckName(test.name), test.want)
	}
}

func TestCheckIDAndModule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ id, want string }{
		{"dev.example.my-shop", ""},
		{"com.Example.Shop2", ""},
		{"shop", "reverse of a domain"},
		{"com..shop", "reverse of a domain"},
		{"com.example.", "reverse of a domain"},
		{"../shop", "reverse of a domain"},
		{`com.example."`, "reverse of a domain"},
		{"com." + strings.Repeat("a", maxID), "reverse of a domain"},
	} {
		judge(t, "CheckID", test.id, CheckID(test.id), test.want)
	}
	for _, test := range []struct{ path, want string }{
		{"shop", ""},
		{"github.com/you/shop/v2", ""},
		{"example.com/~you/My_shop", ""},
		{"net/shop", "begins like Go's own packages"},
		{"github.com/you/", "cannot be used"},
		{"/shop", "cannot be used"},
		{"github.com/../shop", "cannot be used"},
		{"shop\nreplace x => y", "cannot be used"},
		{"github.com/you/shop.", "cannot be used"},
	} {
		judge(t, "CheckModule", test.path, CheckModule(test.path), test.want)
	}
}

func judge(t *testing.T, function, argument string, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want != "":
		t.Errorf("%s(%q) has no objection; want %q", function, argument, want)
	case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
		t.Errorf("%s(%q) says %q; want %q", function, argument, err, want)
	}
}

// FuzzNames has every name that is accepted make an app: its files are filled in, its Go code parses, and
// no file is outside of its folder.
func FuzzNames(f *testing.F) {
	for _, seed := range [][3]string{
		{"shop", "dev.example.shop", "shop"},
		{"my-shop", "com.Example.My-shop", "github.com/you/my-shop/v2"},
		{"func", `x."`, "a b"},
		{"магазин", "dev.example", "../x"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, name, id, module string) {
		app := App{Name: name, ID: id, Module: module, Elyra: Elyra{Version: "v1.2.3"}}
		set := change.New("no-such-folder")
		if err := app.Add(set); err != nil {
			if app.Check() == nil {
				t.Errorf("the names are accepted, but there is no app: %v", err)
			}
			return
		}
		if token.IsKeyword(name) || strings.ContainsAny(name+id+module, "\"\n\\`{ ") {
			t.Errorf("the names %q, %q and %q are accepted", name, id, module)
		}
		if err := set.Conflicts(); err != nil {
			t.Error(err)
		}
	})
}
