package sqlite

import (
	"github.com/elyra-go/elyra/database"
)

// plan is what EXPLAIN proved of a statement: for a table that is in it, the ways on which
// rows are reached. A table that is not in it may be read as a whole.
type plan struct {
	tables map[string]*tablePlan
}

type tablePlan struct {
	paths   []path
	columns int // how many of the first columns the paths compare
	stored  int // how many columns the table has
}

// path is one way to rows: those that meet all its bounds.
type path []bound

// bound keeps one column within what is known before the statement runs.
type bound struct {
	column   int // in the table, or database.RowID
	affinity affinity
	equal    []operand // one of these, if there are any
	low      []operand // else not below the least of these; none: no limit
	high     []operand // and not above the greatest of these
}

// prove reads the program of a statement. It takes a table in only when each cursor on it is
// proven to reach no row but those within constant bounds; whatever it does not understand
// counts as reading whole tables.
func prove(program []operation, s *schema) *plan {
	none := &plan{}
	cursors, ok := cursorsOf(program, s)
	if !ok {
		return none
	}
	regs, ok := registers(program)
	if !ok {
		return none
	}
	for address := range program {
		follow(program, address, cursors)
	}
	result := &plan{tables: map[string]*tablePlan{}}
	unproven := map[string]bool{}
	for _, c := range cursors {
		paths, ok := c.paths(program, regs)
		if !ok {
			unproven[c.tree.table] = true
			continue
		}
		t := result.tables[c.tree.table]
		if t == nil {
			t = &tablePlan{stored: s.columns[c.tree.table]}
			result.tables[c.tree.table] = t
		}
		t.paths = append(t.paths, paths...)
		for _, p := range paths {
			for _, b := range p {
				t.columns = max(t.columns, b.column+1)
			}
		}
	}
	for table := range unproven {
		delete(result.tables, table)
	}
	for table, t := range result.tables {
		if len(t.paths) == 0 {
			delete(result.tables, table)
		}
	}
	return result
}

// tracked is a cursor on a table or an index of the file, and what the program does with it.
type tracked struct {
	cursor   int
	tree     *tree
	unproven bool
	follows  bool  // it only goes where an index cursor leads it
	points   []int // addresses that go to one rowid
	starts   []int // addresses that begin a scan
	ends     []int // addresses that end a scan of an index by its key
	moves    []int // addresses that go on to the next row
}

// cursorsOf finds the cursors. It is false when one cannot be told.
func cursorsOf(program []operation, s *schema) (map[int]*tracked, bool) {
	cursors, opened := map[int]*tracked{}, map[int]bool{}
	for _, o := range program {
		switch o.code {
		case "OpenRead", "ReopenIdx":
			// P3 is the database, and the flag 0x02 a hint; with any other the root page may
			// be in a register.
			t := s.trees[o.p2]
			if opened[o.p1] || t == nil || o.p3 != 0 || o.p5&^0x02 != 0 {
				return nil, false
			}
			opened[o.p1] = true
			cursors[o.p1] = &tracked{cursor: o.p1, tree: t, unproven: !t.bounded}
		case "OpenEphemeral", "OpenAutoindex", "OpenDup", "OpenPseudo", "SorterOpen", "VOpen":
			if cursors[o.p1] != nil {
				return nil, false
			}
			opened[o.p1] = true
		case "OpenWrite":
			return nil, false
		}
	}
	return cursors, true
}

// follow notes what the operation at address does with a cursor.
func follow(program []operation, address int, cursors map[int]*tracked) {
	o := &program[address]
	switch o.code {
	case "Column", "Rowid", "IdxRowid", "NullRow", "FinishSeek", "IfNullRow", "RowData", "Offset", "SeekHit",
		"IfNoHope", "Close", "CursorLock", "CursorUnlock", "OpenRead", "ReopenIdx":
		// They look at the row the cursor is on, or only make a search shorter.
		return
	case "DeferredSeek":
		if c := cursors[o.p3]; c != nil {
			c.follows = true
			c.unproven = c.unproven || cursors[o.p1] == nil
		}
		return
	}
	if c := cursors[o.p2]; c != nil && (o.code == "RowCell" || o.code == "OpenDup") {
		c.unproven = true
	}
	c := cursors[o.p1]
	if c == nil {
		return
	}
	switch o.code {
	case "SeekRowid", "NotExists":
		c.points = append(c.points, address)
	case "SeekGE", "SeekGT", "SeekLE", "SeekLT", "Rewind", "Last":
		c.starts = append(c.starts, address)
	case "IdxGE", "IdxGT", "IdxLE", "IdxLT":
		c.ends = append(c.ends, address)
	case "Next", "Prev":
		c.moves = append(c.moves, address)
	default:
		c.unproven = c.unproven || usesCursor[o.code]
	}
}

// usesCursor names the operations whose P1 is a cursor and that prove nothing. In the others
// it is a register, a jump or a number.
var usesCursor = map[string]bool{
	"Found": true, "NotFound": true, "NoConflict": true, "SeekScan": true, "SeekEnd": true, "Count": true,
	"IfSizeBetween": true, "IfEmpty": true, "IfNotOpen": true, "Sort": true, "SorterSort": true, "SorterNext": true,
	"SorterInsert": true, "SorterData": true, "SorterCompare": true, "Sequence": true, "SequenceTest": true,
	"Insert": true, "IdxInsert": true, "Delete": true, "IdxDelete": true, "RowCell": true, "NewRowid": true,
	"ResetSorter": true, "IFindKey": true, "VFilter": true, "VColumn": true, "VNext": true, "VUpdate": true,
	"OpenDup": true, "IsType": true,
}

// paths gives the ways to rows that the cursor takes. It is false when they are not proven.
func (c *tracked) paths(program []operation, regs map[int]*register) ([]path, bool) {
	scans := len(c.starts) + len(c.ends) + len(c.moves)
	if c.unproven || scans > 0 && len(c.points) > 0 || scans+len(c.points) == 0 && !c.follows || c.follows && scans > 0 {
		return nil, false
	}
	var all []path
	for _, address := range c.points {
		r := regs[program[address].p3]
		if c.tree.isIndex || r == nil || r.unknown || len(r.values) == 0 {
			return nil, false
		}
		all = append(all, path{{column: database.RowID, affinity: numberAffinity, equal: r.values}})
	}
	if scans == 0 {
		return all, true
	}
	if len(c.starts) != 1 || len(c.ends) > 1 || len(c.moves) > 1 {
		return nil, false
	}
	scan := scan{program: program, regs: regs, tree: c.tree, cursor: c.cursor, start: c.starts[0], end: -1, move: -1}
	if len(c.ends) == 1 {
		scan.end = c.ends[0]
	}
	if len(c.moves) == 1 {
		scan.move = c.moves[0]
	}
	p, ok := scan.path()
	return []path{p}, ok
}
