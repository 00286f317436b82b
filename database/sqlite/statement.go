package sqlite

import (
	sqldriver "database/sql/driver"
)

// statement is one compiled statement of one connection.
type statement struct {
	raw    rawStatement
	text   string
	access access
	script bool // more than one statement

	cached bool
	busy   bool // in use, or its rows are open
	used   uint64
}

type rawStatement interface {
	sqldriver.Stmt
	sqldriver.StmtExecContext
	sqldriver.StmtQueryContext
}

// cacheSize is how many statements a connection keeps compiled. Apps have a few dozen.
const cacheSize = 128

// cache keeps the statements that were used last. The zero value is ready.
type cache struct {
	byText map[string]*statement
	clock  uint64
}

// take gives the statement for text, marked as busy. It gives nil when there is none or
// when it is in use.
func (c *cache) take(text string) *statement {
	s := c.byText[text]
	if s == nil || s.busy {
		return nil
	}
	c.clock++
	s.busy, s.used = true, c.clock
	return s
}

// put keeps s unless there is one for its text already, and makes room for it.
func (c *cache) put(s *statement) {
	if c.byText == nil {
		c.byText = make(map[string]*statement, cacheSize)
	}
	if _, ok := c.byText[s.text]; ok {
		return
	}
	if len(c.byText) >= cacheSize && !c.evict() {
		return
	}
	c.clock++
	s.cached, s.used = true, c.clock
	c.byText[s.text] = s
}

// evict closes the statement that was not used for longest. Looking at all of them costs
// less than compiling the one that needs the room.
func (c *cache) evict() bool {
	var oldest *statement
	for _, s := range c.byText {
		if !s.busy && (oldest == nil || s.used < oldest.used) {
			oldest = s
		}
	}
	if oldest == nil {
		return false
	}
	delete(c.byText, oldest.text)
	_ = oldest.raw.Close()
	return true
}

func (c *cache) clear() {
	for _, s := range c.byText {
		_ = s.raw.Close()
	}
	c.byText = nil
}
