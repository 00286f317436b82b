package sqlite

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzPagesOfTheLog reads logs that are no logs. It must end, and give nothing that is not there.
func FuzzPagesOfTheLog(f *testing.F) {
	header := make([]byte, walHeader)
	header[10], header[11] = 2, 0 // pages of 512 bytes
	frame := make([]byte, frameHeader+512)
	frame[3], frame[7] = 5, 9 // page 5, which ends a commit
	f.Add([]byte{}, []byte{})
	f.Add(header, frame)
	f.Add(header, append(append([]byte{}, frame...), frame[:100]...))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		var log walLog
		defer log.close()
		if _, known := log.pages(path); known {
			t.Error("the first look knew what had changed before")
		}
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(after); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		changed, _ := log.pages(path)
		if most := (len(before) + len(after)) / frameHeader; len(changed) > most {
			t.Errorf("%d pages in a log that has room for %d", len(changed), most)
		}
	})
}

// FuzzChildrenOfAPage reads pages that are no pages.
func FuzzChildrenOfAPage(f *testing.F) {
	inner := make([]byte, 512)
	inner[0], inner[4] = 5, 1
	f.Add(inner, false)
	f.Add(make([]byte, 512), true)
	f.Fuzz(func(t *testing.T, page []byte, isFirst bool) {
		if len(page) < 512 {
			return // pageReader refuses them
		}
		children, err := childrenOf(page, isFirst)
		if err != nil && children != nil {
			t.Errorf("%d children and %v", len(children), err)
		}
	})
}

// FuzzNumbersOfParameters looks for text on which it does not end.
func FuzzNumbersOfParameters(f *testing.F) {
	for _, s := range []string{"select ?", "select $1, $2", "select $2, $1", "select :a", "select '$1' -- $2", "select ?5", "$", "$99999999999999999999", "$1a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { numbersAreOrdinals(text) })
}
