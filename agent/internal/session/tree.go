package session

import (
	"slices"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// entries are those from the root to the leaf. The caller holds mu.
func (s *Session) entries() []*Entry {
	indices := s.c.path(s.leaf)
	list := make([]*Entry, len(indices))
	for i, at := range indices {
		list[i] = &s.c.entries[at]
	}
	return list
}

// Leaf returns the id of the entry at which the conversation goes on, "" for its beginning.
func (s *Session) Leaf() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaf < 0 {
		return ""
	}
	return s.c.entries[s.leaf].ID
}

// Branch returns the entries from the root to the leaf. They must not be changed.
func (s *Session) Branch() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.entries()
	branch := make([]Entry, len(list))
	for i, e := range list {
		branch[i] = *e
	}
	return branch
}

// Tree returns all entries in the order in which they were written, each after its parent. They must not be changed.
func (s *Session) Tree() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.c.entries)
	for i, parent := range s.c.parents {
		list[i].Parent = ""
		if parent >= 0 {
			list[i].Parent = list[parent].ID
		}
	}
	return list
}

// History returns the conversation as a model is given it. Each call has exactly one result. The messages must not be
// changed.
func (s *Session) History() []model.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := conversation(s.entries(), s.store.o.Summary)
	history := make([]model.Message, len(list))
	for i, m := range list {
		history[i] = m.message
	}
	return history
}

// Sum returns what the whole file comes to, also what lies on other branches and before summaries.
func (s *Session) Sum() Sum {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.c.sum
}

// Model returns the model that the conversation was last held with, provider/id, and its level; "" if there was none.
func (s *Session) Model() (string, model.Level) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum Sum
	for _, e := range s.entries() {
		sum.add(*e)
	}
	return sum.Model, sum.Level
}

// Labels returns the names of entries by id.
func (s *Session) Labels() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	labels := map[string]string{}
	for _, e := range s.c.entries {
		if e.Kind != KindLabel {
			continue
		}
		labels[e.Target] = e.Text
		if e.Text == "" {
			delete(labels, e.Target)
		}
	}
	return labels
}
