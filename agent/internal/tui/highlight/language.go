package highlight

import "strings"

// language is what is known of a language.
type language struct {
	comment  []string  // begin a comment that ends with the line
	block    [2]string // around a comment of several lines
	quotes   string    // around strings that end with the line
	long     []string  // around strings of several lines
	keywords string    // with spaces around each
	plainTag bool      // markup: names behind < are keywords
}

const (
	wordsC = ` auto break case catch char class const constexpr continue default delete do double else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while bool `

	wordsGo = ` any append bool break byte cap case chan clear close comparable const continue copy default defer delete else error fallthrough false float32 float64 for func go goto if import int int16 int32 int64 int8 interface iota len make map max min new nil package panic print println range recover return rune select string struct switch true type uint uint16 uint32 uint64 uint8 uintptr var `

	wordsScript = ` abstract any as async await boolean break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield `

	wordsPython = ` False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield `

	wordsRust = ` Self as async await bool box break const continue crate dyn else enum extern f32 f64 false fn for i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self static str struct super trait true type u16 u32 u64 u8 unsafe use usize where while `

	wordsJava = ` abstract boolean break byte case catch char class const continue data default do double else enum extends false final finally float for fun if implements import in instanceof int interface internal is lateinit long native new null object open override package private protected public record return sealed short static super switch synchronized this throw throws true try val var void volatile when while `

	wordsRuby = ` BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield `

	wordsShell = ` case cd declare do done echo elif else esac eval exec exit export fi for function if in local printf read readonly return select set shift source test then trap true false unset until while `

	wordsSQL = ` ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CHECK COLUMN COMMIT CONSTRAINT CREATE CROSS DEFAULT DELETE DESC DISTINCT DROP ELSE END EXISTS FOREIGN FROM FULL GROUP HAVING IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER PRIMARY REFERENCES RETURNING RIGHT ROLLBACK SELECT SET TABLE THEN TRANSACTION UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH `
)

// find returns what is known of a language by the name that a fence has, or by the end of a file's name.
func find(name string) (language, bool) {
	switch strings.ToLower(name) {
	case "go", "golang":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, long: []string{"`"}, keywords: wordsGo}, true
	case "c", "h", "cpp", "c++", "cc", "hpp", "cxx", "objc", "m", "cs", "csharp", "swift", "zig":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, keywords: wordsC + wordsJava}, true
	case "js", "javascript", "jsx", "ts", "typescript", "tsx", "mjs", "cjs", "vue", "svelte":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, long: []string{"`"}, keywords: wordsScript}, true
	case "py", "python", "pyi":
		return language{comment: []string{"#"}, quotes: `"'`, long: []string{`"""`, `'''`}, keywords: wordsPython}, true
	case "rs", "rust":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"`, keywords: wordsRust}, true
	case "java", "kt", "kotlin", "scala", "dart", "php", "groovy":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, long: []string{`"""`}, keywords: wordsJava + wordsScript}, true
	case "rb", "ruby":
		return language{comment: []string{"#"}, quotes: `"'`, keywords: wordsRuby}, true
	case "sh", "bash", "zsh", "shell", "fish", "console", "dockerfile", "docker", "makefile", "make", "mk":
		return language{comment: []string{"#"}, quotes: `"'`, keywords: wordsShell}, true
	case "sql", "sqlite", "postgresql", "mysql":
		return language{comment: []string{"--"}, block: [2]string{"/*", "*/"}, quotes: `'"`, keywords: wordsSQL + strings.ToLower(wordsSQL)}, true
	case "json", "json5", "jsonc":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"`, keywords: " true false null "}, true
	case "yaml", "yml", "toml", "ini", "conf", "properties":
		return language{comment: []string{"#", ";"}, quotes: `"'`, keywords: " true false null yes no on off "}, true
	case "css", "scss", "less":
		return language{comment: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, keywords: " important media import "}, true
	case "html", "xml", "svg":
		return language{block: [2]string{"<!--", "-->"}, quotes: `"`, plainTag: true}, true
	case "lua":
		return language{comment: []string{"--"}, quotes: `"'`, keywords: " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "}, true
	}
	return language{}, false
}
