package clientconfig

import "strings"

// Quote joins words to one line for the shell that the users of a system have: PowerShell on
// Windows, else a POSIX shell. The system is named as by runtime.GOOS.
func Quote(goos string, words []string) string {
	quote := quotePOSIX
	if goos == "windows" {
		quote = quotePowerShell
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quote(word)
	}
	return strings.Join(quoted, " ")
}

// plain reports whether all runes of a word mean themselves to a shell, which are letters, digits
// and some signs.
func plain(word, signs string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !nameRune(r) && !strings.ContainsRune(signs, r)
	})
}

func quotePOSIX(word string) string {
	if plain(word, "./:=+,%") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// quotePowerShell writes a word in single quotes, in which PowerShell replaces nothing. Up to version
// 7.2, and for .cmd files such as code's in all versions, it passes a double quote on as it is, and the
// program takes it for its own quoting unless there is a backslash before it.
func quotePowerShell(word string) string {
	if plain(word, `.\:/=`) {
		return word
	}
	var b strings.Builder
	b.WriteByte('\'')
	backslashes := 0
	for _, r := range word {
		switch r {
		case '\\':
			backslashes++
		case '"':
			// Backslashes before a quote count double, then there is one for the quote.
			b.WriteString(strings.Repeat(`\`, backslashes+1))
			backslashes = 0
		default:
			backslashes = 0
		}
		if r == '\'' || r == '‘' || r == '’' || r == '‚' || r == '‛' {
			b.WriteRune(r) // PowerShell takes all of these for a single quote
		}
		b.WriteRune(r)
	}
	// PowerShell adds double quotes around a word with a space, the last of which must stay one.
	if strings.ContainsAny(word, " \t") {
		b.WriteString(strings.Repeat(`\`, backslashes))
	}
	b.WriteByte('\'')
	return b.String()
}
