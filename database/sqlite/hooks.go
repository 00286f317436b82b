package sqlite

import (
	lib "modernc.org/sqlite"
)

// authorize is SQLite asking whether a statement that it compiles may do something.
func (p *physical) authorize(action lib.AuthorizerActionCode, first, second, schema, _ string) lib.AuthorizerReturnCode {
	if p.silent {
		return lib.AuthorizerOK
	}
	var no error
	switch action {
	case lib.AuthTransaction:
		if !p.ours {
			no = errOwnBegin
		}
	case lib.AuthSavepoint:
		if !p.inTx {
			no = errLooseSave
		}
	case lib.AuthAttach, lib.AuthDetach:
		if !p.writer {
			no = errNeedsWriter
		}
	case lib.AuthPragma:
		if !p.writer && !pragmaReads(first, second) {
			no = errNeedsWriter
		}
	}
	if no != nil {
		if p.refused == nil {
			p.refused = no
		}
		return lib.AuthorizerDeny
	}
	p.events = append(p.events, event{action, first, second, schema})
	return lib.AuthorizerOK
}

// committing is the commit hook. It is called before the commit: when the disk is full then,
// the rollback hook follows.
func (p *physical) committing() int32 {
	p.committed.merge(p.pending)
	p.pending = changes{}
	return 0
}

// rollingBack is the rollback hook. After a script, what its parts committed is not told apart,
// which tells too much and never too little.
func (p *physical) rollingBack() {
	p.pending = changes{}
	if !p.several {
		p.committed = changes{}
	}
	p.rolledBack = p.inTx
}

// takeCommitted gives what is to be published, once.
func (p *physical) takeCommitted() changes {
	c := p.committed
	p.committed = changes{}
	return c
}
