package toolargs

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/elyra-go/elyra/internal/terminal"
)

// Table writes the arguments in columns: name, type, whether it is required, and the first line of what it is for. Each line
// begins with indent.
func Table(w io.Writer, indent string, arguments []Argument) {
	columns := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, a := range arguments {
		need := "optional"
		if a.Required {
			need = "required"
		}
		fmt.Fprintf(columns, "%s%s%s\t%s\t%s", indent, strings.Repeat("  ", a.Depth), terminal.OneLine(a.Name), terminal.OneLine(a.Type), need)
		if line := terminal.FirstLine(a.Doc); line != "" {
			fmt.Fprintf(columns, "\t%s", line)
		}
		fmt.Fprintln(columns)
	}
	columns.Flush() //nolint:errcheck // Who writes to w hears of it.
}
