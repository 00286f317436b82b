package tools

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sniffed is how much of a file decides whether it is text.
const sniffed = 8 << 10

const bom = "\ufeff"

// coding is how a file writes its text.
type coding struct {
	bom    bool
	latin1 bool // else UTF-8
}

// isBinary reports whether data, the beginning of a file, is no text.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), sniffed)], 0) >= 0
}

// decodeText returns the text of a file for editing, without a byte order mark, and how to write it again.
func decodeText(data []byte) (string, coding, error) {
	if isBinary(data) {
		return "", coding{}, errors.New("it is no text that can be edited: it contains NUL bytes")
	}
	text, marked := strings.CutPrefix(string(data), bom)
	if utf8.ValidString(text) {
		return text, coding{bom: marked}, nil
	}
	return fromLatin1(string(data)), coding{latin1: true}, nil
}

// encode writes text as the file had it.
func (c coding) encode(text string) ([]byte, error) {
	switch {
	case c.latin1:
		out := make([]byte, 0, len(text))
		for _, r := range text {
			if r > 0xff {
				return nil, fmt.Errorf("the file is not UTF-8 but Latin-1 or the like, and %q cannot be written in it", r)
			}
			out = append(out, byte(r))
		}
		return out, nil
	case c.bom:
		return []byte(bom + text), nil
	}
	return []byte(text), nil
}

// fromLatin1 takes each byte for the character of its number.
func fromLatin1(s string) string {
	var b strings.Builder
	b.Grow(2 * len(s))
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// fromUTF16 decodes a text that begins with a byte order mark of UTF-16.
func fromUTF16(data []byte) (string, bool) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return "", false
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return string(utf16.Decode(units)), true
}
