package sqlite

import (
	"github.com/elyra-go/elyra/database"
)

// scan is one loop over a tree: where it starts, what ends it, and what goes on. An address
// of -1 means that there is none.
type scan struct {
	program []operation
	regs    map[int]*register
	tree    *tree
	cursor  int

	start, end, move int
}

// path gives the bounds within which the scan stays.
func (s *scan) path() (path, bool) {
	switch s.program[s.start].code {
	case "SeekGE", "SeekGT", "Rewind":
		if s.move >= 0 && s.program[s.move].code != "Next" {
			return nil, false
		}
	default:
		if s.move >= 0 && s.program[s.move].code != "Prev" {
			return nil, false
		}
	}
	if s.tree.isIndex {
		return s.indexPath()
	}
	return s.tablePath()
}

func (s *scan) backward() bool {
	switch s.program[s.start].code {
	case "SeekLE", "SeekLT", "Last":
		return true
	}
	return false
}

// seeks reports whether the scan starts at a key, and not at one end of the tree.
func (s *scan) seeks() bool {
	code := s.program[s.start].code
	return code != "Rewind" && code != "Last"
}

// settled names the operations between a start and its end that use no row.
func settled(code string) bool {
	switch code {
	case "Variable", "Integer", "Int64", "Real", "String8", "Null", "IsNull", "Affinity", "Noop", "Explain":
		return true
	}
	return false
}

// guarded reports whether each row is compared at address before it is used: the first one,
// which the start leads to, and those that the move leads to.
func (s *scan) guarded(address int) bool {
	if address <= s.start {
		return false
	}
	for at := s.start + 1; at < address; at++ {
		if !settled(s.program[at].code) {
			return false
		}
	}
	if s.move < 0 {
		return true
	}
	target := s.program[s.move].p2
	return target > s.start && target <= address && s.move > address
}

// known gives what may be in a register, if nothing else can be.
func (s *scan) known(n int) ([]operand, bool) {
	r := s.regs[n]
	if r == nil || r.unknown || len(r.values) == 0 {
		return nil, false
	}
	return r.values, true
}

// same reports whether a register holds at the end of the loop what it held at its start.
func (s *scan) same(n int) bool {
	if s.regs[n] == nil {
		return false
	}
	for _, address := range s.regs[n].writers {
		if address > s.start && address <= max(s.end, s.move) {
			return false
		}
	}
	return true
}

// indexPath compares the keys at which a scan of an index starts and ends, column by column:
// as long as they are the same, the column is fixed; where they differ, it is a range, and
// what comes after is free.
func (s *scan) indexPath() (path, bool) {
	from, to := s.program[s.start], operation{}
	starts, ends := 0, 0
	if s.seeks() {
		if starts = from.count(); starts < 1 {
			return nil, false
		}
	}
	if s.end >= 0 {
		to = s.program[s.end]
		forward := to.code == "IdxGT" || to.code == "IdxGE"
		if ends = to.count(); ends < 1 || forward == s.backward() || !s.guarded(s.end) {
			return nil, false
		}
	}
	var p path
	for i := range max(starts, ends) {
		if i >= len(s.tree.keys) {
			break
		}
		key := s.tree.keys[i]
		b := bound{column: key.column, affinity: key.affinity}
		var ok bool
		if i < starts && i < ends && from.p3 == to.p3 && s.same(from.p3+i) {
			if b.equal, ok = s.known(from.p3 + i); !ok {
				break
			}
			p = append(p, b)
			continue
		}
		if i < starts {
			if b.low, ok = s.known(from.p3 + i); !ok {
				break
			}
		}
		if i < ends {
			if b.high, ok = s.known(to.p3 + i); !ok {
				break
			}
		}
		if s.backward() != key.descending {
			b.low, b.high = b.high, b.low
		}
		p = append(p, b)
		break
	}
	return p, len(p) > 0
}

// tablePath bounds a scan of a table by its rowid. What ends it is a comparison of the rowid
// at the top of the loop.
func (s *scan) tablePath() (path, bool) {
	if s.end >= 0 {
		return nil, false
	}
	b := bound{column: database.RowID, affinity: numberAffinity}
	var ok bool
	if s.seeks() {
		if b.low, ok = s.known(s.program[s.start].p3); !ok {
			return nil, false
		}
	}
	b.high = s.rowidEnd()
	if s.backward() {
		b.low, b.high = b.high, b.low
	}
	return path{b}, len(b.low)+len(b.high) > 0
}

// rowidEnd gives the values that a scan of a table does not go beyond, or none.
func (s *scan) rowidEnd() []operand {
	if s.move < 0 {
		return nil
	}
	top := s.program[s.move].p2
	if top <= s.start || top+1 >= s.move {
		return nil
	}
	rowid, compare := s.program[top], s.program[top+1]
	past := compare.code == "Gt" || compare.code == "Ge"
	if s.backward() {
		past = compare.code == "Lt" || compare.code == "Le"
	}
	// The jump must leave the loop.
	if rowid.code != "Rowid" || rowid.p1 != s.cursor || compare.p3 != rowid.p2 || !past ||
		compare.p2 <= s.move && compare.p2 > s.start || !s.guarded(top) {
		return nil
	}
	values, ok := s.known(compare.p1)
	if !ok {
		return nil
	}
	return values
}
