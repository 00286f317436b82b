package migrations

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// Numbers are those of the migrations that are there. The zero value has none.
type Numbers struct {
	newest int64
	width  int // digits of the newest
}

// usualWidth is how many digits a number has at least.
const usualWidth = 5

// Note takes in the name of a file and reports whether it is that of a migration: a number from 1 on, an underscore, and .sql
// at its end. The database library ignores others, too.
func (n *Numbers) Note(file string) bool {
	digits, _, ok := strings.Cut(file, "_")
	version, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || version < 1 || path.Ext(file) != ".sql" {
		return false
	}
	if version > n.newest {
		n.newest, n.width = version, len(digits)
	}
	return true
}

// Next is the number of the next migration, as the name of its file begins. It is there from now on.
func (n *Numbers) Next() (string, error) {
	if n.newest == math.MaxInt64 {
		return "", fmt.Errorf("no number is above %d, which a migration has", n.newest)
	}
	n.newest++
	return fmt.Sprintf("%0*d", max(n.width, usualWidth), n.newest), nil
}
