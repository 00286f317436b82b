//go:build webkit && linux

package e2e

import (
	"encoding/json"
	"net/http"
	"testing"
)

// rows is the text of the list's rows.
func (c *crm) rows() string {
	var text string
	c.Eval(`return document.getElementById("rows").innerText`, &text)
	return text
}

// windows are the handles of the app's windows, in no order.
func (c *crm) windows(t testing.TB) (handles []string) {
	if err := json.Unmarshal(c.Request(http.MethodGet, "/window/handles", nil), &handles); err != nil {
		t.Error(err)
	}
	return handles
}

// in runs do with another window than the first.
func (c *crm) in(t testing.TB, handle string, do func()) {
	var before string
	if err := json.Unmarshal(c.Request(http.MethodGet, "/window", nil), &before); err != nil {
		t.Fatal(err)
	}
	c.Request(http.MethodPost, "/window", map[string]string{"handle": handle})
	do()
	c.Request(http.MethodPost, "/window", map[string]string{"handle": before})
}
