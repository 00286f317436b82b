package elyra

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// maxExact is the largest integer up to which JavaScript keeps all integers apart.
const maxExact = 1<<53 - 1

// exactInJavaScript reports the first integer in a result that a page would silently read as another
// one, with its path. A field of such integers is declared with the JSON option string.
func exactInJavaScript(result []byte) error {
	if !longDigits(result) {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(result))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return nil // the end: what was encoded here is valid
		}
		if token.Kind() != '0' {
			continue
		}
		text := token.String()
		n, err := strconv.ParseInt(text, 10, 64)
		_, err2 := strconv.ParseUint(text, 10, 64)
		if err == nil && (n > maxExact || n < -maxExact) || err != nil && err2 == nil {
			return fmt.Errorf("the result's %s is %s, which JavaScript cannot hold exactly: declare the field with `json:\",string\"`", d.StackPointer(), text)
		}
	}
}

// longDigits reports whether b has 16 digits in a row: most results have not, and cannot hold such an
// integer.
func longDigits(b []byte) bool {
	run := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			run = 0
		} else if run++; run == 16 {
			return true
		}
	}
	return false
}
