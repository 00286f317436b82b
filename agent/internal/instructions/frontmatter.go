package instructions

import "strings"

// front divides a text into what stands between --- lines at its beginning, as far as it is names with texts, and the rest.
// It understands of YAML what such heads use: plain and quoted texts on one line, texts that go on in indented lines,
// and | and > blocks. Anything else is passed over.
func front(text string) (head map[string]string, body string) {
	head = map[string]string{}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return head, text
	}
	if strings.HasPrefix(rest, "---\n") || rest == "---" { // an empty head
		return head, strings.TrimPrefix(strings.TrimPrefix(rest, "---"), "\n")
	}
	top, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		if top, ok = strings.CutSuffix(rest, "\n---"); !ok {
			return head, text
		}
		body = ""
	}
	lines := strings.Split(top, "\n")
	for i := 0; i < len(lines); i++ {
		name, value, ok := strings.Cut(lines[i], ":")
		if !ok || name == "" || name[0] == '-' || strings.ContainsAny(name, " \t#\"'") {
			continue
		}
		var more []string
		for i+1 < len(lines) && (strings.HasPrefix(lines[i+1], " ") || strings.HasPrefix(lines[i+1], "\t") || strings.TrimSpace(lines[i+1]) == "") {
			i++
			more = append(more, strings.TrimSpace(lines[i]))
		}
		head[name] = scalar(strings.TrimSpace(value), more)
	}
	return head, body
}

// scalar is the text of a value with the indented lines after it.
func scalar(value string, more []string) string {
	switch strings.TrimRight(value, "+-0123456789") {
	case "|":
		return strings.TrimSpace(strings.Join(more, "\n"))
	case ">":
		value = ""
	}
	value = strings.TrimSpace(value + " " + strings.Join(more, " "))
	if n := len(value); n >= 2 && value[0] == value[n-1] {
		switch value[0] {
		case '\'':
			return strings.ReplaceAll(value[1:n-1], "''", "'")
		case '"':
			return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t").Replace(value[1 : n-1])
		}
	}
	plain, _, _ := strings.Cut(value, " #")
	return strings.TrimSpace(plain)
}
