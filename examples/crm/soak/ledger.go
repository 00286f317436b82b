package main

import (
	"context"
	"slices"
	"sync"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

// ledger knows what may be in the database: for each email the companies that the customer may have. The empty company is no
// customer.
type ledger struct {
	mu    sync.Mutex
	state map[string][]string
}

func (l *ledger) set(email string, companies ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		l.state = map[string][]string{}
	}
	l.state[email] = companies
}

// may says that a change has been asked for, which may happen or not.
func (l *ledger) may(email, before, after string) { l.set(email, before, after) }

// mayGo says that a deletion has been asked for.
func (l *ledger) mayGo(email string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state[email] = append(slices.Clone(l.state[email]), "")
}

// must says that a change was acknowledged.
func (l *ledger) must(email, company string) { l.set(email, company) }

// check compares the database with the ledger, once nothing runs any more.
func (s *soak) check(ctx context.Context) error {
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: s.database})
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT email, company FROM customers WHERE email LIKE '%@soak.example'`)
	if err != nil {
		return err
	}
	defer rows.Close()
	there := map[string]string{}
	for rows.Next() {
		var email, company string
		if err := rows.Scan(&email, &company); err != nil {
			return err
		}
		there[email] = company
	}
	if err := rows.Err(); err != nil {
		return err
	}
	certain := 0
	for email, companies := range s.ledger.state {
		if !slices.Contains(companies, there[email]) {
			s.problem("%s has the company %q; it was acknowledged as one of %q", email, there[email], companies)
		}
		if len(companies) == 1 {
			certain++
		}
	}
	for email := range there {
		if _, known := s.ledger.state[email]; !known {
			s.problem("nobody added %s", email)
		}
	}
	var integrity string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&integrity); err != nil || integrity != "ok" {
		s.problem("the database file is %s, %v", integrity, err)
	}
	s.note("%d customers acknowledged, %d of which nobody knows whether they were written; %d in the database", certain, len(s.ledger.state)-certain, len(there))
	return nil
}
