package sqlite

import (
	"math"
	"strconv"

	"github.com/elyra-go/elyra/database"
)

// provenVersion is the release of SQLite whose bytecode this package was tested against with
// random queries. SQLite promises nothing about its bytecode, so with any other release every
// statement counts as reading whole tables.
const provenVersion = "3.54.1"

// operation is one line of EXPLAIN.
type operation struct {
	code       string
	p1, p2, p3 int
	p4         string
	p5         int
}

// operand is a value that is known before a statement runs: a literal or a parameter.
type operand struct {
	parameter int            // its number from 1, or 0 for a literal
	literal   database.Value // of a literal
	asText    bool           // numbers are made text before they are compared
	asNumber  bool           // text that looks like a number is made one
}

// writing says which registers an operation writes to, by the number of its operand.
type writing byte

const (
	nothing writing = iota
	first
	second
	third
)

// written holds the operations whose effect on registers is understood. A statement with any
// other is not understood.
var written = map[string]writing{
	"Init": nothing, "Goto": nothing, "Halt": nothing, "Transaction": nothing, "Noop": nothing, "Explain": nothing,
	"ResultRow": nothing, "Eq": nothing, "Ne": nothing, "Lt": nothing, "Le": nothing, "Gt": nothing, "Ge": nothing,
	"ElseEq": nothing, "Permutation": nothing, "Compare": nothing, "Jump": nothing, "If": nothing, "IfNot": nothing,
	"IsNull": nothing, "NotNull": nothing, "IsType": nothing, "Once": nothing, "ReleaseReg": nothing,
	"OpenRead": nothing, "ReopenIdx": nothing, "OpenAutoindex": nothing, "OpenDup": nothing, "OpenPseudo": nothing,
	"SorterOpen": nothing, "Close": nothing, "SeekGE": nothing, "SeekGT": nothing, "SeekLE": nothing, "SeekLT": nothing,
	"IdxGE": nothing, "IdxGT": nothing, "IdxLE": nothing, "IdxLT": nothing, "SeekHit": nothing, "IfNoHope": nothing,
	"Found": nothing, "NotFound": nothing, "NoConflict": nothing, "SeekRowid": nothing, "NotExists": nothing,
	"NullRow": nothing, "Next": nothing, "Prev": nothing, "Rewind": nothing, "Last": nothing, "IfSizeBetween": nothing,
	"IfEmpty": nothing, "SorterSort": nothing, "Sort": nothing, "SorterNext": nothing, "SorterInsert": nothing,
	"SorterCompare": nothing, "IdxInsert": nothing, "Insert": nothing, "Delete": nothing, "FinishSeek": nothing,
	"DeferredSeek": nothing, "ResetSorter": nothing, "Filter": nothing, "SequenceTest": nothing, "Affinity": nothing,
	"SeekScan": nothing, "IfNotOpen": nothing, "CursorLock": nothing, "CursorUnlock": nothing, "Expire": nothing,
	"VOpen": nothing, "VFilter": nothing, "VNext": nothing,

	"AddImm": first, "MustBeInt": first, "RealAffinity": first, "Cast": first, "IfPos": first, "IfNotZero": first,
	"DecrJumpZero": first, "MemMax": first, "AggFinal": first, "InitCoroutine": first, "Yield": first,
	"EndCoroutine": first, "Gosub": first, "Return": first, "SoftNull": first, "RowSetAdd": first, "RowSetTest": first,
	"FilterAdd": first, "ClrSubtype": first, "CollSeq": first,

	"Integer": second, "Int64": second, "Real": second, "String8": second, "String": second, "Variable": second,
	"Blob": second, "BeginSubrtn": second, "SCopy": second, "IntCopy": second, "Not": second, "BitNot": second,
	"IsTrue": second, "ZeroOrNull": second, "OffsetLimit": second, "Count": second, "Sequence": second, "Rowid": second,
	"IdxRowid": second, "RowData": second, "SorterData": second, "GetSubtype": second, "SetSubtype": second,
	"ReadCookie": second, "NewRowid": second, "Null": second, "Copy": second,

	"Column": third, "VColumn": third, "Function": third, "PureFunc": third, "Concat": third, "Add": third,
	"Subtract": third, "Multiply": third, "Divide": third, "Remainder": third, "BitAnd": third, "BitOr": third,
	"ShiftLeft": third, "ShiftRight": third, "And": third, "Or": third, "IfNullRow": third, "Offset": third,
	"MakeRecord": third, "AggStep": third, "AggStep1": third, "AggInverse": third, "AggValue": third,
	"RowSetRead": third, "OpenEphemeral": third,
}

// writes gives the registers from..to that the operation writes to; none when to < from. It
// is false when the operation is not understood.
func (o *operation) writes() (from, to int, ok bool) {
	switch o.code {
	case "Null":
		return o.p2, max(o.p2, o.p3), true
	case "Copy":
		return o.p2, o.p2 + o.p3, true
	}
	w, ok := written[o.code]
	switch w {
	case first:
		return o.p1, o.p1, ok
	case second:
		return o.p2, o.p2, ok
	case third:
		return o.p3, o.p3, ok
	}
	return 0, -1, ok
}

// constant gives the operand that the operation puts into a register.
func (o *operation) constant() (operand, bool) {
	literal := func(v any) (operand, bool) {
		value, ok := database.ValueOf(v)
		return operand{literal: value}, ok
	}
	both := int64(uint64(uint32(o.p1)) | uint64(uint32(o.p3))<<32)
	switch o.code {
	case "Variable":
		return operand{parameter: o.p1}, o.p1 > 0
	case "Integer":
		return literal(int64(o.p1))
	case "Int64":
		return literal(both)
	case "Real":
		return literal(math.Float64frombits(uint64(both)))
	case "String8":
		return literal(o.p4)
	case "Null":
		return literal(nil)
	}
	return operand{}, false
}

// count gives P4 where it is the number of registers of a key.
func (o *operation) count() int {
	n, err := strconv.Atoi(o.p4)
	if err != nil {
		return -1
	}
	return n
}

// register is what may be in a register, whichever way the program went.
type register struct {
	values  []operand
	unknown bool  // it may hold something else
	writers []int // the addresses that write to it
}

func (r *register) may(values ...operand) {
	for _, v := range values {
		known := false
		for _, have := range r.values {
			known = known || have == v
		}
		if !known {
			r.values = append(r.values, v)
		}
	}
}

// maxValues is how many keys of one table a run of a statement tells one by one.
const maxValues = 128

// registers follows the values that are known before the program runs. It is false when the
// program is not understood.
//
// The order in which the program runs is not followed: a register holds any of the values
// that are ever put into it.
func registers(program []operation) (map[int]*register, bool) {
	all := map[int]*register{}
	at := func(n int) *register {
		if all[n] == nil {
			all[n] = &register{}
		}
		return all[n]
	}
	for address := range program {
		o := &program[address]
		if o.code == "Move" {
			for n := range o.p3 {
				at(o.p1+n).unknown, at(o.p2+n).unknown = true, true
			}
			continue
		}
		from, to, ok := o.writes()
		if !ok {
			return nil, false
		}
		value, isConstant := o.constant()
		for n := from; n <= to; n++ {
			r := at(n)
			r.writers = append(r.writers, address)
			if isConstant {
				r.may(value)
			} else if o.code != "Column" || o.p2 != 0 {
				r.unknown = true
			}
		}
	}
	convert(program, at)
	lists := listsOf(program, all)
	for address := range program {
		o := &program[address]
		if o.code != "Column" || o.p2 != 0 {
			continue
		}
		if list := lists[o.p1]; list != nil {
			at(o.p3).may(list...)
		} else {
			at(o.p3).unknown = true
		}
	}
	convert(program, at)
	return all, true
}

// listsOf finds the transient tables that hold nothing but values known before: the lists of
// IN. It gives those values by cursor.
func listsOf(program []operation, all map[int]*register) map[int][]operand {
	lists, opened := map[int]*register{}, map[int]int{}
	for _, o := range program {
		switch o.code {
		case "OpenEphemeral":
			opened[o.p1]++
			lists[o.p1] = &register{unknown: o.p3 > 0}
		case "OpenRead", "ReopenIdx", "OpenAutoindex", "OpenDup", "OpenPseudo", "SorterOpen", "VOpen":
			opened[o.p1] += 2
		}
	}
	for _, o := range program {
		list := lists[o.p1]
		if list == nil {
			continue
		}
		switch o.code {
		case "IdxInsert":
			values, ok := listed(program, all, o.p2)
			list.may(values...)
			list.unknown = list.unknown || !ok
		case "Insert", "SorterInsert", "Delete", "NewRowid":
			list.unknown = true
		}
	}
	known := map[int][]operand{}
	for cursor, list := range lists {
		if opened[cursor] == 1 && !list.unknown && len(list.values) > 0 && len(list.values) <= maxValues {
			known[cursor] = list.values
		}
	}
	return known
}

// listed gives the values of records of one field that may be in a register.
func listed(program []operation, all map[int]*register, record int) (values []operand, ok bool) {
	r := all[record]
	if r == nil {
		return nil, false
	}
	for _, address := range r.writers {
		o := program[address]
		source := all[o.p1]
		if o.code != "MakeRecord" || o.p2 != 1 || source == nil || source.unknown || len(source.values) == 0 {
			return nil, false
		}
		for _, v := range source.values {
			values = append(values, v.converted(o.p4, 0))
		}
	}
	return values, true
}

// convert notes the conversions that are made in place.
func convert(program []operation, at func(int) *register) {
	for _, o := range program {
		if o.code != "Affinity" {
			continue
		}
		for i := range o.p2 {
			r := at(o.p1 + i)
			for j, v := range r.values {
				r.values[j] = v.converted(o.p4, i)
			}
		}
	}
}

// converted gives v as the affinity that affinities has at place i makes it.
func (v operand) converted(affinities string, i int) operand {
	if i >= len(affinities) {
		return v
	}
	switch affinities[i] {
	case '@', 'A':
	case 'B':
		v.asText = true
	default:
		v.asNumber = true
	}
	return v
}
