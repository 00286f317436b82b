package session

import "github.com/elyra-go/elyra/agent/internal/model"

// notRun is the result of a call whose own was never stored.
const notRun = "the call did not run to its end: the session was cut off, and what it did is not known"

// said is a message of the conversation with the entry that it came from, "" for one that was made up.
type said struct {
	message model.Message
	id      string
}

// conversation is what the model is given: the messages on a path, with what was summarised replaced by the summary.
func conversation(path []*Entry, summary func(string) model.Message) []said {
	var list []said
	begin := 0
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind != KindCompaction {
			continue
		}
		c := path[i].Compaction
		list = append(list, said{message: summary(c.Summary)})
		begin = i
		for k := range i {
			if path[k].ID == c.Keep {
				begin = k
			}
		}
		for _, e := range path[begin:i] { // Their usage is that of requests which were longer.
			if e.Kind == KindMessage {
				m := *e.Message
				m.Usage = nil
				list = append(list, said{m, e.ID})
			}
		}
		begin = i
		break
	}
	for _, e := range path[begin:] {
		if e.Kind == KindMessage {
			list = append(list, said{*e.Message, e.ID})
		}
	}
	return wellFormed(list)
}

// wellFormed gives each call exactly one result, after it and before the model's next message. Results without a call,
// messages without content and such of nobody are left out.
func wellFormed(list []said) []said {
	var out []said
	missing := map[string]bool{} // calls of the last answer without a result
	var order []string
	answer := 0 // where results of the last answer may begin
	settle := func() {
		var results []model.Block
		for _, id := range order {
			if missing[id] {
				results = append(results, model.Block{Result: &model.Result{
					CallID: id, Content: []model.Block{model.Text(notRun)}, IsError: true,
				}})
			}
		}
		if len(results) > 0 {
			made := said{message: model.Message{Role: model.User, Content: results}}
			out = append(out[:answer:answer], append([]said{made}, out[answer:]...)...)
		}
		clear(missing)
		order = nil
	}
	for _, s := range list {
		s.message.Content = fitting(s.message.Content, s.message.Role, missing)
		if len(s.message.Content) == 0 {
			continue
		}
		if s.message.Role == model.Assistant {
			settle()
			for _, c := range s.message.Calls() {
				missing[c.ID] = true
				order = append(order, c.ID)
			}
			answer = len(out) + 1
		}
		out = append(out, s)
	}
	settle()
	return out
}

// fitting returns the blocks that a message of a role may have. Results are taken off those that are missing.
func fitting(blocks []model.Block, role model.Role, missing map[string]bool) []model.Block {
	var kept []model.Block
	calls := map[string]bool{}
	for i, b := range blocks {
		ok := true
		switch {
		case role != model.User && role != model.Assistant:
			ok = false
		case b.Result != nil:
			ok = role == model.User && missing[b.Result.CallID]
			delete(missing, b.Result.CallID)
		case b.Call != nil:
			ok = role == model.Assistant && !calls[b.Call.ID]
			calls[b.Call.ID] = true
		case b.Text == "" && b.Thinking == nil && b.Image == nil:
			ok = false
		}
		switch {
		case ok && kept != nil:
			kept = append(kept, b)
		case !ok && kept == nil:
			kept = append(make([]model.Block, 0, len(blocks)), blocks[:i]...)
		}
	}
	if kept == nil {
		return blocks // as almost always: nothing is copied
	}
	return kept
}
