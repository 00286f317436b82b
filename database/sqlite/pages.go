package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"encoding/binary"
	"errors"
	"maps"
	"runtime"
	"slices"
)

// pages names the tables that others changed, from the numbers of the pages that they wrote.
// Whatever is in doubt counts as everything.
//
// The trees of the file are mapped down to their leaves, of which no one is read. A page that
// is given to another tree takes with it a change of an inner page of both, so that the map is
// made anew when one of those changes.
type pages struct {
	log     walLog
	logPath string
	reader  *physical // looks at pages
	owners  map[uint32]owner
	free    map[uint32]bool
	version int64 // of the schema that the map was made of
}

// owner is the table whose rows or keys are in a page.
type owner struct {
	table string
	inner bool // it leads to other pages
}

const (
	// maxPages is how large a file is mapped: 1.2 GB with pages of 4 KB.
	maxPages = 300_000

	schemaPage = 1
)

var errUnmapped = errors.New("the pages of this file cannot be mapped")

// changed gives the tables that changed since the last call. It is false when they cannot be
// told.
func (m *pages) changed(ctx context.Context, s *store) (tables []string, known bool) {
	if runtime.GOOS == "windows" {
		// An open log could not be deleted by SQLite.
		return nil, false
	}
	written, known := m.log.pages(m.logPath)
	if m.reader == nil {
		reader, err := s.connectReader(ctx)
		if err != nil {
			return nil, false
		}
		reader.silent = true
		m.reader, known = reader, false
	}
	if !known || len(written) == 0 || m.owners == nil {
		m.rebuild(ctx)
		return nil, false
	}
	return m.named(ctx, written)
}

// ready reports whether the next change can be named.
func (m *pages) ready() bool { return m.reader != nil }

// named gives the tables that pages belong to, before or after they were written.
func (m *pages) named(ctx context.Context, written []uint32) (tables []string, known bool) {
	found, moved := map[string]struct{}{}, false
	var strange []uint32
	for _, n := range written {
		o, ok := m.owners[n]
		switch {
		case n == schemaPage:
			moved = true // it also holds the list of free pages; the version below decides
		case !ok:
			strange = append(strange, n)
		default:
			found[o.table] = struct{}{}
			moved = moved || o.inner
		}
	}
	before := m.version
	if moved || len(strange) > 0 {
		if m.rebuild(ctx); m.owners == nil || m.version != before {
			return nil, false
		}
	}
	for _, n := range strange {
		o, ok := m.owners[n]
		switch {
		case ok:
			found[o.table] = struct{}{}
		case !m.free[n]:
			return nil, false // the rest of a long value, perhaps, whose row is not known
		}
	}
	return slices.Collect(maps.Keys(found)), true
}

func (m *pages) close() {
	m.log.close()
	if m.reader != nil {
		_ = m.reader.close()
	}
	*m = pages{}
}

// rebuild makes the map anew. After a failure there is none.
func (m *pages) rebuild(ctx context.Context) {
	m.owners, m.free = map[uint32]owner{}, map[uint32]bool{}
	if err := m.build(ctx); err != nil {
		m.owners = nil
	}
}

func (m *pages) build(ctx context.Context) error {
	p := m.reader
	tx, err := p.raw.BeginTx(ctx, sqldriver.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	roots, err := p.ask(ctx, "select tbl_name, rootpage from sqlite_schema where rootpage > 0")
	if err != nil {
		return err
	}
	facts, err := p.ask(ctx, "select (select schema_version from pragma_schema_version), (select page_count from pragma_page_count), (select auto_vacuum from pragma_auto_vacuum)")
	if err != nil {
		return err
	}
	m.version = whole(facts[0][0])
	// With auto_vacuum, pages move for reasons of their own.
	if whole(facts[0][1]) > maxPages || whole(facts[0][2]) != 0 {
		return errUnmapped
	}
	raw, err := p.raw.PrepareContext(ctx, "select data from sqlite_dbpage where pgno = ?")
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }()
	read := pageReader{ctx, raw.(rawStatement)}
	for _, r := range roots {
		if err := m.walk(read, uint32(whole(r[1])), text(r[0])); err != nil {
			return err
		}
	}
	if err := m.walk(read, schemaPage, "sqlite_schema"); err != nil {
		return err
	}
	return m.walkFree(read)
}

// walk maps one tree, level by level. All leaves are on one level, so that one of them tells
// how deep it is.
func (m *pages) walk(read pageReader, root uint32, table string) error {
	level := []uint32{root}
	for len(level) > 0 {
		var next []uint32
		for i, n := range level {
			if _, twice := m.owners[n]; twice || n == 0 || len(m.owners) > maxPages {
				return errUnmapped
			}
			if i > 0 && next == nil {
				m.owners[n] = owner{table, false} // the first was a leaf, and so are all
				continue
			}
			page, err := read.page(n)
			if err != nil {
				return err
			}
			children, err := childrenOf(page, n == schemaPage)
			if err != nil {
				return err
			}
			m.owners[n] = owner{table, children != nil}
			next = append(next, children...)
		}
		level = next
	}
	return nil
}

// walkFree maps the list of free pages.
func (m *pages) walkFree(read pageReader) error {
	page, err := read.page(schemaPage)
	if err != nil {
		return err
	}
	for n := binary.BigEndian.Uint32(page[32:]); n != 0; n = binary.BigEndian.Uint32(page) {
		if m.free[n] {
			return errUnmapped
		}
		m.free[n] = true
		if page, err = read.page(n); err != nil {
			return err
		}
		count := int(binary.BigEndian.Uint32(page[4:]))
		for i := range min(count, len(page)/4-2) {
			m.free[binary.BigEndian.Uint32(page[8+4*i:])] = true
		}
	}
	return nil
}

// childrenOf gives the pages that an inner page leads to, and nil for a leaf.
func childrenOf(page []byte, isFirst bool) ([]uint32, error) {
	at := 0
	if isFirst {
		at = 100 // the file's header
	}
	switch page[at] {
	case 2, 5:
	case 10, 13:
		return nil, nil
	default:
		return nil, errUnmapped
	}
	count := int(binary.BigEndian.Uint16(page[at+3:]))
	if at+12+2*count > len(page) {
		return nil, errUnmapped
	}
	children := make([]uint32, 0, count+1)
	for i := range count {
		cell := int(binary.BigEndian.Uint16(page[at+12+2*i:]))
		if cell+4 > len(page) {
			return nil, errUnmapped
		}
		children = append(children, binary.BigEndian.Uint32(page[cell:]))
	}
	return append(children, binary.BigEndian.Uint32(page[at+8:])), nil
}

// pageReader reads pages as SQLite sees them.
type pageReader struct {
	ctx       context.Context
	statement rawStatement
}

func (r pageReader) page(n uint32) ([]byte, error) {
	rows, err := r.statement.QueryContext(r.ctx, arguments([]any{int64(n)}))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	row := make([]sqldriver.Value, 1)
	if err := rows.Next(row); err != nil {
		return nil, err
	}
	page, _ := row[0].([]byte)
	if len(page) < 512 {
		return nil, errUnmapped
	}
	return slices.Clone(page), nil
}
