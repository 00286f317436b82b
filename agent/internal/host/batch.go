package host

import (
	"fmt"
	"strings"
)

// maxBatchLine is the longest line that cmd.exe reads.
const maxBatchLine = 8191

// isBatch reports whether a program of Windows is a batch file, as npx and its like are there. Only cmd.exe can run one.
func isBatch(program string) bool {
	program = strings.ToLower(program)
	return strings.HasSuffix(program, ".cmd") || strings.HasSuffix(program, ".bat")
}

// batchLine is the command line with which cmd.exe gives a batch file exactly these arguments. Cmd.exe acts upon characters
// such as & and %, which addresses are full of, before the batch file sees them.
func batchLine(program string, args []string) (string, error) {
	if strings.ContainsAny(program, "\"%\r\n\x00") {
		return "", fmt.Errorf("start MCP server: %q cannot be run: its path has a character that cmd.exe acts upon", program)
	}
	var b strings.Builder
	b.WriteString(`cmd.exe /d /e:on /v:off /s /c ""` + program + `"`)
	for i, arg := range args {
		if strings.ContainsAny(arg, "\r\n\x00") {
			return "", fmt.Errorf("start MCP server: argument %d of %s cannot be given to a batch file: it has a line break", i+1, program)
		}
		b.WriteString(` "` + batchArgument(arg) + `"`)
	}
	b.WriteString(`"`)
	if b.Len() > maxBatchLine {
		return "", fmt.Errorf("start MCP server: the arguments of %s are longer than cmd.exe can read", program)
	}
	return b.String(), nil
}

// batchArgument writes what stands between the quotes of an argument. A quote is doubled, which neither ends the quotes for
// cmd.exe nor for the program that gets the argument at last; backslashes before a quote count double there. After a percent
// sign follows a variable that is empty, so that it begins no other.
func batchArgument(arg string) string {
	var b strings.Builder
	backslashes := 0
	for _, r := range arg {
		if r == '"' {
			b.WriteString(strings.Repeat(`\`, backslashes) + `"`)
		}
		if r == '\\' {
			backslashes++
		} else {
			backslashes = 0
		}
		if r == '%' {
			b.WriteString(`%%cd:~,%`)
			continue
		}
		b.WriteRune(r)
	}
	b.WriteString(strings.Repeat(`\`, backslashes))
	return b.String()
}
