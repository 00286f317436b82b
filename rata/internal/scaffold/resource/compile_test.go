package resource

import (
	"database/sql"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/ability"
	"github.com/elyra-go/elyra/rata/internal/change"
)

// framework is as much of package elyra as generated code uses: rata does not link the real one.
const framework = `package elyra

import "context"

type Command struct{}
type None struct{}
type Page[T any] struct {
	Items         []T
	Total         int64
	Page, PerPage int
}
type CommandOptions struct {
	Can, Doc, Title                                  string
	Live, ReadOnly, Additive, Idempotent, OpenWorld bool
	Types                                            TypeDocs
}
type TypeDocs map[string]TypeDoc
type TypeDoc struct {
	Doc    string
	Fields map[string]string
	Enum   []any
}
type ValidationError map[string][]string

func (ValidationError) Error() string { return "" }
func Private(err error) error         { return err }
func NewCommand[In, Out any](string, func(context.Context, In) (Out, error), CommandOptions) Command {
	return Command{}
}
`

// compiler type-checks packages of the module shop, and has a database for their SQL. Go's own packages are read once.
type compiler struct {
	mu       sync.Mutex
	files    *token.FileSet
	standard types.Importer
	checked  map[string]*types.Package
	db       *sql.DB
	dialect  string
}

func newCompiler(t testing.TB, driver database.Driver, o database.OpenOptions) *compiler {
	db, err := driver.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	c := &compiler{files: token.NewFileSet(), checked: map[string]*types.Package{}, db: db, dialect: driver.Schemes()[0]}
	c.standard = importer.ForCompiler(c.files, "source", nil)
	decimal, err := decimalSource.ReadFile("decimal/decimal.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"github.com/elyra-go/elyra": framework, "shop/decimal": string(decimal)} {
		if c.checked[name], _, err = c.check(name, map[string]string{"x.go": text}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *compiler) Import(name string) (*types.Package, error) {
	if p := c.checked[name]; p != nil {
		return p, nil
	}
	return c.standard.Import(name)
}

// source is what a checked package says.
type source struct {
	files []*ast.File
	info  *types.Info
}

// check type-checks a package.
func (c *compiler) check(name string, texts map[string]string) (*types.Package, source, error) {
	s := source{info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	for file, text := range texts {
		parsed, err := parser.ParseFile(c.files, name+"/"+file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, s, err
		}
		s.files = append(s.files, parsed)
	}
	p, err := (&types.Config{Importer: c}).Check(name, c.files, s.files, s.info)
	return p, s, err
}

// statements are the SQL statements in a package: the second arguments of the calls with a context. Where a
// statement has an order, it is there once for each of the orders.
func (s source) statements(orders []string) []string {
	var found []string
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasSuffix(f.Sel.Name, "Context") {
				text := s.text(call.Args[1])
				for _, order := range orders {
					found = append(found, strings.ReplaceAll(text, "\x00", order))
				}
			}
			return true
		})
	}
	return slices.Compact(found)
}

// text is an expression of strings, with a zero byte for what is known only when it runs.
func (s source) text(e ast.Expr) string {
	if v := s.info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	if sum, ok := e.(*ast.BinaryExpr); ok {
		return s.text(sum.X) + s.text(sum.Y)
	}
	return "\x00"
}

// orders are the ends of queries that sort a list.
func (v view) orders() []string {
	all := []string{" ORDER BY id DESC"}
	for _, f := range v.SortFields() {
		all = append(all, " ORDER BY "+f.SortBy()+" DESC NULLS LAST, id")
	}
	return all
}

// written is a resource as it is added to a new app.
func written(t testing.TB, s Spec) *change.Set {
	t.Helper()
	set := change.New(t.TempDir())
	if err := New("shop").Add(set, s); err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return set
}

var toolName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// judge holds what is written for a resource against all that can be said of it without building an app.
func judge(t testing.TB, c *compiler, s Spec) {
	t.Helper()
	set := written(t, s)
	service := map[string]string{}
	for _, file := range set.Paths() {
		text, _ := set.Content(file)
		switch {
		case path.Ext(file) != ".go":
		case path.Dir(file) == "resources/"+s.Name.Package && !strings.HasSuffix(file, "_test.go"):
			service[path.Base(file)] = string(text)
		default:
			if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v\n%s", file, err, text)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, code, err := c.check("shop/resources/"+s.Name.Package, service)
	if err != nil {
		t.Fatalf("%+v: %v\n%s", s, err, service["service.go"])
	}
	generated := service["elyra_gen.go"]
	for _, command := range []string{"index", "show", "store", "update", "destroy"} {
		name := s.Name.Plural + "_" + command
		if !toolName.MatchString(name) || len(name) > 64 || !strings.Contains(generated, fmt.Sprintf("NewCommand(%q", name)) {
			t.Errorf("the command %s cannot be called so, or is not there", name)
		}
	}
	if err := ability.Check(s.Name.Plural + ".view"); err != nil {
		t.Error(err)
	}
	up, ok := set.Content("migrations/" + c.dialect + "/00001_create_" + s.Name.Plural + ".sql")
	if !ok {
		t.Fatal("there is no migration")
	}
	run(t, c.db, string(up), code.statements(view{Spec: s}.orders()))
}

// run makes the tables of a migration, has the database read each statement, and takes the tables back.
func run(t testing.TB, db *sql.DB, migration string, statements []string) {
	t.Helper()
	up, down, _ := strings.Cut(migration, "-- +goose Down")
	for part := range strings.SplitSeq(up, ";") {
		if _, err := db.ExecContext(t.Context(), part); err != nil {
			t.Fatalf("%v\n%s", err, part)
		}
	}
	if len(statements) < 5 {
		t.Errorf("there are only the statements %q", statements)
	}
	for _, text := range statements {
		statement, err := db.PrepareContext(t.Context(), text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		statement.Close()
	}
	if _, err := db.ExecContext(t.Context(), down); err != nil {
		t.Fatalf("%v\n%s", err, down)
	}
}
