// Package fill makes a file of a template. It promises that Go code comes out formatted, and that an error names the
// file. It reads and writes no files, and must know neither apps nor resources.
package fill

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"text/template"
)

// File executes the template of a file, whose name says by its end what it holds.
func File(file string, t *template.Template, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("template of %s: %w", file, err)
	}
	if path.Ext(file) != ".go" {
		return b.Bytes(), nil
	}
	formatted, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("template of %s: %w", file, err)
	}
	return formatted, nil
}
