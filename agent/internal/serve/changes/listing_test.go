package changes

import "testing"

func TestListingIsCutOffAnywhere(t *testing.T) {
	t.Parallel()
	const out = ":100644 100644 aa bb M\x00a.txt\x00:100644 100644 aa bb R090\x00old\x00new\x00:160000 160000 aa bb M\x00mod\x00" +
		"1\t1\ta.txt\x00-\t-\t\x00old\x00new\x001\t1\tmod\x00"
	all := parseListing(out)
	if len(all) != 3 || all[1].old != "old" || !all[1].binary || !all[2].submodule || all[0].binary {
		t.Errorf("%+v", all)
	}
	for at := range out {
		if n := len(parseListing(out[:at])); n > 3 {
			t.Errorf("cut at %d: %d entries", at, n)
		}
	}
}

// FuzzListing holds that no output of git is too much for the parsers.
func FuzzListing(f *testing.F) {
	f.Add(":100644 100644 aa bb M\x00a.txt\x001\t1\ta.txt\x00")
	f.Add("diff --git a/x b/x\n+a\ndiff --cc y\n")
	f.Fuzz(func(t *testing.T, out string) {
		for _, e := range parseListing(out) {
			e.header()
		}
		splitPatch(out)
		if text := cut(out); len(text) > maxFileText+200 {
			t.Errorf("%d bytes", len(text))
		}
	})
}
