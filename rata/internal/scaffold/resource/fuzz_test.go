package resource

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

// everyKind has a field of each type, with each modifier.
const everyKind = `sku:string:unique order:int:unique:min=1:max=5 skuCode:string:unique:optional:max=30 note:text body:text:optional
	count:int:optional weight:float ratio:float:optional:min=0:max=1 price:decimal:unique rate:decimal=4:optional active:bool
	default:bool:optional due:date end:date:optional:unique starts_at:datetime until:datetime? contact:email:unique
	second_contact:email?:unique site:url group:url:optional:unique token:uuid:unique parent:uuid:optional
	status:enum(open,in_progress,EUR,2x) kind:enum=a,b:optional`

func TestWhatIsAcceptedCompiles(t *testing.T) {
	t.Parallel()
	whatIsAcceptedCompiles(t, newCompiler(t, sqlite.Driver(), database.OpenOptions{URL: "sqlite:test.db", Dir: t.TempDir()}))
}

// whatIsAcceptedCompiles judges resources that are named with words that mean something, and such as are drawn at random.
func whatIsAcceptedCompiles(t *testing.T, c *compiler, more ...string) {
	accepted := func(name, plural string, fields ...string) {
		t.Helper()
		spec, err := Parse(name, plural, fields)
		if err != nil {
			t.Fatal(err)
		}
		judge(t, c, spec)
	}
	accepted("order-line", "", strings.Fields(everyKind)...)
	// Words that mean something in SQL, in Go or in the generated code.
	words := strings.Fields(sqlWords + " " + goKeywords + ` string error nil true int len max min any append context sql errors fmt
		slices strings time elyra decimal service item input query page pattern rows row scan columns matching order find explain
		moment day commands sort search descending per_page validate json result doing taken by q s n ctx db`)
	words = append(words, more...)
	slices.Sort(words)
	words = slices.Compact(words)
	for part := range slices.Chunk(words, 40) {
		var fields []string
		for _, word := range part {
			fields = append(fields, word+":string:optional:unique")
		}
		accepted("thing", "", fields...)
	}
	for _, word := range words {
		if _, _, err := parseName("thing", word); err == nil {
			accepted("thing", word, "name:string:unique")
		}
		if _, _, err := parseName(word, ""); err == nil && !isOneOf(sqlWords, word) {
			accepted(word, "", "name:string:unique", "at:datetime:optional")
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	count := 0
	for range 200 {
		if spec, err := randomSpec(random); err == nil {
			count++
			judge(t, c, spec)
		}
	}
	if count < 50 {
		t.Errorf("only %d of 200 random resources were accepted", count)
	}
}

// randomSpec is a resource of words and modifiers that were drawn at random.
func randomSpec(random *rand.Rand) (Spec, error) {
	word := func() string {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteByte("aabcdeeghiklmnoprstuyzABCDSX_-019"[random.IntN(33)])
		}
		return b.String()
	}
	name, plural := word(), ""
	if random.IntN(4) == 0 {
		plural = word()
	}
	var fields []string
	for range 1 + random.IntN(12) {
		field := word() + ":" + kindNames()[random.IntN(len(kindNames()))]
		if strings.HasSuffix(field, ":enum") {
			field += "=" + word() + "," + word()
		}
		for _, modifier := range []string{":optional", ":unique", ":max=9", ":min=-2"} {
			if random.IntN(3) == 0 {
				field += modifier
			}
		}
		if _, err := parseField(field); err == nil {
			fields = append(fields, field)
		}
	}
	return Parse(name, plural, fields)
}

// FuzzParse: what is accepted gives Go that can be formatted, names that are all different, and rows of JSON.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"product||name:string price:decimal stock:int", "OrderLines||a:enum(x,y) b:enum=1,2", "equipment||x:bool?", "Service||status:enum(open)",
		"kaktus|kakteen|höhe:int", "type||type:string:unique:optional", "q||id_card:url:unique", "a_b||a_b:int ab:int", "x|y|",
		"order-line||sku:string:unique:max=3 count:int?:min=0 due:date rate:decimal=4:optional", "person||token:uuid mail:email:unique ok:bool f:float t:text",
		"event||at:datetime:optional day:date:optional moment:datetime", "sort||sort:enum(by,name) page:int query:string",
	} {
		parts := strings.Split(seed, "|")
		f.Add(parts[0], parts[1], parts[2])
	}
	f.Fuzz(func(t *testing.T, name, plural, fields string) {
		spec, err := Parse(name, plural, strings.Fields(fields[:min(len(fields), 120)]))
		if err != nil {
			if text := err.Error(); !strings.Contains(text, "name") && !strings.Contains(text, "field") && !strings.Contains(text, "plural") {
				t.Errorf("the error %q does not say what it is about", text)
			}
			return
		}
		data := view{Spec: spec, Module: "shop", Migrations: "migrations", Dialect: "sqlite", Entries: []entry{{spec.Name.Plural, spec.Name.Service()}}}
		declared := map[string]bool{}
		for _, name := range []string{"migration.sql", "types.go", "service.go", "test.go", "resources.go", "resources.js", "declaration.js"} {
			text, err := data.fill(name+".tmpl", name)
			if err != nil {
				t.Fatalf("%+v: %v", spec, err)
			}
			if name != "types.go" {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				for _, spec := range d.(*ast.GenDecl).Specs {
					declare(t, declared, spec)
				}
			}
		}
		for _, row := range data.Samples() {
			if !json.Valid([]byte(row)) {
				t.Errorf("the row %s is no JSON", row)
			}
		}
	})
}

// declare notes the names that a declaration makes, and that none is made twice.
func declare(t *testing.T, declared map[string]bool, spec ast.Spec) {
	t.Helper()
	var names []*ast.Ident
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, spec.Name)
	case *ast.ValueSpec:
		names = spec.Names
	}
	for _, name := range names {
		if declared[name.Name] {
			t.Errorf("%s is declared twice", name.Name)
		}
		declared[name.Name] = true
	}
}

// FuzzReadList: whatever is in the list of resources, reading it ends in an error or in names of resources.
func FuzzReadList(f *testing.F) {
	f.Add("package resources\n\nfunc Abilities() []string { return []string{\"notes.*\", \"../x.*\"} }\n\nvar _ = &notes.Service{}")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := readList([]byte(text))
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.service == "" || strings.ContainsAny(e.Package(), "./\\ ") {
				t.Errorf("%q has the resource %+v", text, e)
			}
		}
	})
}
