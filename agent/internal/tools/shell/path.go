package shell

import "strings"

// changeDir notes where cd leads. What comes after it is read there.
func (j *judge) changeDir(args []string) bool {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], "*?[") {
		return false
	}
	if !j.read(args[0]) {
		return false
	}
	j.dir = join(j.dir, args[0])
	return true
}

// read notes a word that may name a file, and what stands after = in it. False: nobody can say which file.
func (j *judge) read(word string) bool {
	if len(j.v.Reads) > maxReads {
		return false
	}
	if strings.HasPrefix(word, "-") {
		_, value, ok := strings.Cut(word, "=")
		switch {
		case ok:
			word = value
		case strings.ContainsAny(word, "/~"): // Such as -f/etc/passwd.
			word = word[strings.IndexAny(word, "/~"):]
		default:
			return true
		}
	}
	if unclear(word) {
		return false
	}
	if word != "" {
		// When cd fails, what follows may run where it was before.
		j.v.Reads = appendNew(appendNew(j.v.Reads, word), join(j.dir, word))
	}
	return true
}

// maxReads is more files than a read-only command needs to name.
const maxReads = 200

// join puts a word after a folder, unless it is absolute.
func join(dir, word string) string {
	if dir == "" || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return word
	}
	return strings.TrimSuffix(dir, "/") + "/" + word
}

// unclear reports paths that lead where their text does not tell: up again from a folder that may be a link, and to the home
// of another user.
func unclear(name string) bool {
	entered := false
	for elem := range strings.SplitSeq(name, "/") {
		if elem == ".." && entered {
			return true
		}
		entered = entered || elem != ".." && elem != "." && elem != ""
	}
	return strings.HasPrefix(name, "~") && name != "~" && !strings.HasPrefix(name, "~/")
}
