package database

// RowID is the column of a [Term] that stands for a row's identity.
const RowID = -1

// Row is what is known of a row before or after a change.
type Row struct {
	// Absent is true when there was no row: before an insertion, after a deletion.
	Absent bool

	// ID is the row's identity: SQLite's rowid.
	ID int64

	// Values are those of the first columns of the table, in the order of the schema, as
	// far as somebody depends on them. The others are not known.
	Values []Value
}

// value gives the value of a column, which is not known when it is the zero Value.
func (r *Row) value(column int) Value {
	switch {
	case column == RowID:
		return Value{kind: wholeValue, whole: r.ID}
	case column < 0 || column >= len(r.Values):
		return Value{}
	}
	return r.Values[column]
}

// Value gives the value of a column of a row that is there, or the zero Value when it is not
// known.
func (r Row) Value(column int) Value { return r.value(column) }

// RowChange is a row as it was and as it is.
type RowChange struct {
	// Old is the row before the transaction's statement, absent for an insertion.
	Old Row

	// New is the row after it, absent for a deletion.
	New Row
}

// Term bounds one column.
type Term struct {
	// Column is the column's place in the table, from 0, or [RowID].
	Column int

	// Low and High are the least and the greatest value, both included. The zero Value means
	// no limit on that side.
	Low, High Value
}

// IsEqual reports whether the term asks for one value.
func (t Term) IsEqual() bool { return t.Low.IsKnown() && t.Low == t.High }

// Condition is met by a row that meets all its terms. It has at least one.
type Condition []Term

// Meets reports whether a row may meet the condition. A value that is not known may be any.
func (c Condition) Meets(r Row) bool {
	if r.Absent {
		return false
	}
	for _, t := range c {
		v := r.value(t.Column)
		switch {
		case !v.IsKnown():
		case t.Low.IsKnown() && v.Compare(t.Low) < 0, t.High.IsKnown() && v.Compare(t.High) > 0:
			return false
		}
	}
	return true
}

// Touches reports whether the change may concern the rows that meet the condition: whether
// the row met it before or meets it now.
func (c Condition) Touches(change RowChange) bool {
	return c.Meets(change.Old) || c.Meets(change.New)
}
