package codegen

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestDirectiveReadsEveryWord(t *testing.T) {
	t.Parallel()
	text := " can=customers.view\tlive idempotent openworld name=list_all title=\"All, \\\"really\\\"\"  timeout=1m30s "
	want := directive{
		can: "customers.view", name: "list_all", title: `All, "really"`,
		live: true, idempotent: true, openWorld: true, timeout: 90 * time.Second,
	}
	got, problems := parseDirective(text)
	if got != want || problems != nil {
		t.Errorf("parseDirective(%q) = %+v, %v; want %+v", text, got, problems, want)
	}
	if got, problems = parseDirective(""); got != (directive{}) || problems != nil {
		t.Errorf("the bare directive gives %+v, %v", got, problems)
	}
}

func TestDirectiveRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{` title="a"live`, `1: a space is missing after the value of "title"`},
		{` title="a\qb"`, `1: the quoted value of "title" does not end`},
		{" title=\"a\\nb\"", "1: the title has characters that cannot be shown; write plain text on one line"},
		{` name="x y"`, `1: the name "x y" is not snake_case of ASCII letters and digits; give one with name=, like name=customers_store`},
		{` timeout=-1s`, `1: timeout "-1s" is no duration above zero; write timeout=30s or timeout=5m`},
		{` can=`, `1: "can" has no value; write can=customers.view`},
		{` frobnicate`, `1: unknown word "frobnicate"; known are can= live additive readonly idempotent openworld name= title= timeout=`},
		{` Live`, `1: unknown word "Live"; did you mean "live"?`},
		{` =x`, `1: unknown word ""; known are can= live additive readonly idempotent openworld name= title= timeout=`},
	} {
		_, problems := parseDirective(tt.text)
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimSuffix(fmt.Sprintf("%d: %s; %s", p.offset, p.what, p.fix), "; "))
		}
		if strings.Join(got, "\n") != tt.want {
			t.Errorf("parseDirective(%q):\n got %q\nwant %q", tt.text, got, tt.want)
		}
	}
}

func FuzzDirective(f *testing.F) {
	f.Add("")
	f.Add(" can=customers.view live")
	f.Add(` title="a b" timeout=30s name=a_b readonly idempotent openworld`)
	f.Add(" title=\"\\x00\xff\" can==\" live=\u2003additive")
	f.Fuzz(func(t *testing.T, text string) {
		d, problems := parseDirective(text)
		for _, p := range problems {
			if p.offset < 0 || p.offset >= len(text) || p.what == "" {
				t.Fatalf("problem %+v is not within %q", p, text)
			}
		}
		if len(problems) > 0 {
			return
		}
		again := d.text()
		if same, problems := parseDirective(again); same != d || problems != nil {
			t.Fatalf("%q was read as %+v, but written as %q it is read as %+v, %v", text, d, again, same, problems)
		}
	})
}

// text writes a directive so that parseDirective reads it back.
func (d directive) text() string {
	var words []string
	for word, set := range map[string]bool{
		"live": d.live, "additive": d.additive, "readonly": d.readOnly,
		"idempotent": d.idempotent, "openworld": d.openWorld, "can=" + d.can: d.can != "", "name=" + d.name: d.name != "",
		"title=" + strconv.Quote(d.title): d.title != "", "timeout=" + d.timeout.String(): d.timeout != 0,
	} {
		if set {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}
