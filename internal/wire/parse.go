package wire

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Parse reads one message from a line. White space around it is allowed.
//
// When the line is refused, the Error is the answer to send, and the Message still has the
// ID if the line was a request whose id could be read. The limits' zero value means the
// defaults; MaxLine is the [Reader]'s business and not checked here.
func Parse(line []byte, l Limits) (Message, *Error) {
	p := parser{scanner: scanner{b: line, maxDepth: l.withDefaults().MaxDepth}}
	err := p.members()
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return Message{ID: p.requestID()}, err
	}
	return p.message()
}

// RequestID returns the id of a request of which only the beginning is known, or nil. It
// is for the answer to a line that was too long to be read.
func RequestID(prefix []byte) jsontext.Value {
	p := parser{scanner: scanner{b: prefix, maxDepth: DefaultMaxDepth}}
	p.members() // fails, of course; what was seen up to there counts
	return p.requestID()
}

// ParseBatch splits a line that holds a JSON array into its elements, which are checked
// JSON within the depth limit. It returns false when the line is no such array.
func ParseBatch(line []byte, l Limits) ([]jsontext.Value, bool) {
	// The elements of a batch may be as deep as a message of their own.
	s := scanner{b: line, maxDepth: l.withDefaults().MaxDepth + 1}
	s.space()
	if s.i >= len(line) || line[s.i] != '[' || s.value() != faultNone {
		return nil, false
	}
	end := s.i
	s.space()
	if s.i != len(line) {
		return nil, false
	}
	s.b, s.i = line[:end], 0
	s.space()
	s.i++ // the bracket
	elements := []jsontext.Value{}
	for {
		s.space()
		start := s.i
		s.skip()
		if s.i == start {
			return elements, true
		}
		elements = append(elements, line[start:s.i:s.i])
		s.space()
		if !s.eat(',') {
			return elements, true
		}
	}
}

// parser collects the members of a message.
type parser struct {
	scanner
	version, id, method, params, result, err jsontext.Value
}

// members reads the whole object. A value that is too deep is passed over first, so that
// an id after it is still found.
func (p *parser) members() *Error {
	p.space()
	if p.i >= len(p.b) {
		return Errorf(CodeParse, "the line is empty")
	}
	if p.b[p.i] != '{' {
		if p.value() == faultSyntax || !p.atEnd() {
			return p.syntax()
		}
		return Errorf(CodeInvalidRequest, "a message must be a JSON object")
	}
	p.i++
	p.depth = 1
	var refused *Error
	p.space()
	if p.eat('}') {
		return p.end(nil)
	}
	for {
		start := p.i
		if p.str() != faultNone {
			return p.syntax()
		}
		name := unquoted(p.b[start:p.i])
		p.space()
		if !p.eat(':') {
			return p.syntax()
		}
		p.space()
		start = p.i
		switch p.value() {
		case faultSyntax:
			return p.syntax()
		case faultDepth:
			p.i, p.depth = start, 1
			p.skip()
			refused = Errorf(CodeInvalidRequest, "the message is nested deeper than %d levels", p.maxDepth)
		}
		if slot := p.slot(name); slot != nil {
			if *slot != nil {
				return Errorf(CodeInvalidRequest, "the message has two members named %q", name)
			}
			*slot = p.b[start:p.i:p.i]
		}
		p.space()
		if p.eat('}') {
			return p.end(refused)
		}
		if !p.eat(',') {
			return p.syntax()
		}
		p.space()
	}
}

// slot returns where the value of a member belongs, nil for one that means nothing here.
func (p *parser) slot(name []byte) *jsontext.Value {
	switch string(name) {
	case "jsonrpc":
		return &p.version
	case "id":
		return &p.id
	case "method":
		return &p.method
	case "params":
		return &p.params
	case "result":
		return &p.result
	case "error":
		return &p.err
	}
	return nil
}

func (p *parser) syntax() *Error {
	return Errorf(CodeParse, "the line is not valid JSON at byte %d", p.i)
}

func (p *parser) atEnd() bool {
	p.space()
	return p.i == len(p.b)
}

// end refuses what follows the message; otherwise it passes on an earlier refusal.
func (p *parser) end(refused *Error) *Error {
	if !p.atEnd() {
		return p.syntax()
	}
	return refused
}

// check decides whether the members make a JSON-RPC message.
func (p *parser) check() *Error {
	switch {
	case string(p.version) != `"2.0"`:
		return Errorf(CodeInvalidRequest, `a message must have "jsonrpc":"2.0"`)
	case p.id != nil && !validID(p.id) && !(p.err != nil && string(p.id) == "null"):
		return Errorf(CodeInvalidRequest, "the id of a message must be a string or an integer")
	case p.method != nil && (p.result != nil || p.err != nil):
		return Errorf(CodeInvalidRequest, "a message cannot be a request and a response")
	case p.result != nil && p.err != nil:
		return Errorf(CodeInvalidRequest, "a response cannot have a result and an error")
	case p.method == nil && p.result == nil && p.err == nil:
		return Errorf(CodeInvalidRequest, "a message must have a method, a result or an error")
	case p.method != nil && p.method[0] != '"':
		return Errorf(CodeInvalidRequest, "the method must be a string")
	case string(p.method) == `""`: // it would pass for the lack of one, and nobody would answer
		return Errorf(CodeInvalidRequest, "the method must not be empty")
	case p.params != nil && p.params[0] != '{' && p.params[0] != '[':
		return Errorf(CodeInvalidRequest, "params must be an object or be left out")
	case p.result != nil && p.id == nil:
		return Errorf(CodeInvalidRequest, "a response must have an id")
	}
	return nil
}

// message builds the checked message.
func (p *parser) message() (Message, *Error) {
	m := Message{ID: p.id, Params: p.params, Result: p.result}
	if p.method != nil {
		m.Method = string(unquoted(p.method))
	}
	if p.err != nil {
		if string(p.id) == "null" {
			m.ID = nil
		}
		m.Error = new(Error)
		var data struct {
			Code    *int           `json:"code"`
			Message *string        `json:"message"`
			Data    jsontext.Value `json:"data"`
		}
		if err := json.Unmarshal(p.err, &data, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil || data.Code == nil || data.Message == nil {
			return Message{}, Errorf(CodeInvalidRequest, "the error of a response must have an integer code and a message")
		}
		m.Error.Code, m.Error.Message = *data.Code, *data.Message
		if data.Data != nil {
			m.Error.Data = data.Data
		}
	}
	return m, nil
}

// requestID returns the id if it is usable and belongs to a request. The id of something
// that may be a response is not ours to answer: it names one of our own requests.
func (p *parser) requestID() jsontext.Value {
	if p.method == nil || p.result != nil || p.err != nil || !validID(p.id) {
		return nil
	}
	return p.id
}

// validID reports whether checked JSON is a string or an integer. An integer with a
// fraction or an exponent is refused: the two peers might not agree that 1 and 1.0 are one.
func validID(id jsontext.Value) bool {
	if len(id) == 0 {
		return false
	}
	if id[0] == '"' {
		return true
	}
	for i, c := range id {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return true
}

// ValidID reports whether checked JSON may be an id or a progress token: a string or an
// integer.
func ValidID(v jsontext.Value) bool { return validID(v) }
