package model

import "github.com/go-json-experiment/json/jsontext"

// Why calls must not run, in words that the model can act on.
const (
	BrokenCut      = "the call was cut off before its arguments were complete; it did not run"
	BrokenNoObject = "the arguments are not a JSON object; the call did not run"
	BrokenAnswer   = "the answer that holds this call did not end regularly; the call did not run"
)

// Settle ends the call: raw is all that came as its arguments, and broken why it must not run, "" when it came to its end.
// What is no JSON object is kept as it came and never repaired; nothing at all stands for no arguments.
func (c *Call) Settle(raw, broken string) {
	c.Arguments, c.Raw, c.Broken = nil, "", broken
	switch {
	case broken != "":
		c.Raw = raw
	case raw == "":
		c.Arguments = jsontext.Value("{}")
	case !isObject([]byte(raw)):
		c.Broken, c.Raw = BrokenNoObject, raw
	default:
		c.Arguments = jsontext.Value(raw)
	}
}

// Sendable returns the arguments as a JSON object, to show the model its own call again. Those of a broken call are {} when
// they are none: its result says what was wrong.
func (c *Call) Sendable() jsontext.Value {
	if c.Broken == "" && isObject(c.Arguments) {
		return c.Arguments
	}
	if isObject([]byte(c.Raw)) {
		return jsontext.Value(c.Raw)
	}
	return jsontext.Value("{}")
}
