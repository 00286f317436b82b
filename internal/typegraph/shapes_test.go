package typegraph

import (
	stdjson "encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The Go shapes that the tests turn into schemas.

type status string

type urgency int8

type address struct {
	Street string  `json:"street"`
	Unit   *string `json:"unit"`
}

type line struct {
	SKU string  `json:"sku"`
	Qty int     `json:"qty"`
	Tax float32 `json:"tax,omitzero"`
}

type order struct {
	ID      int64             `json:"id"`
	Big     uint64            `json:"big,string"`
	Status  status            `json:"status"`
	Level   urgency           `json:"level,omitempty"`
	Lines   []line            `json:"lines"`
	Billing address           `json:"billing"`
	Ship    *address          `json:"ship,omitempty"`
	Tags    map[string]string `json:"tags"`
	Placed  time.Time         `json:"placed"`
	Paid    *time.Time        `json:"paid"`
	Note    string            `json:"note,omitempty"`
}

type tree struct {
	Name string  `json:"name"`
	Kids []*tree `json:"kids,omitempty"`
}

type forest []forest

type pageOf[T any] struct {
	Items []T `json:"items"`
	Next  *T  `json:"next"`
}

type pairOf[K comparable, V any] struct {
	Key   K `json:"key"`
	Value V `json:"value"`
}

type stamps struct {
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

type base struct {
	ID   int64  `json:"id"`
	Name string // shadowed by the outer struct
}

type extra struct {
	Hint string `json:"hint"`
}

type Linked struct {
	URL string `json:"url"`
}

type embedding struct {
	base
	stamps
	*Linked
	Name  string
	Extra extra `json:",embed"`
	//lint:ignore U1000 a field that nobody sets: it must not appear
	skip  int
	Never string `json:"-"`
}

type openEnded struct {
	Known string         `json:"known"`
	More  map[string]int `json:",embed"`
}

type openRaw struct {
	Known string         `json:"known"`
	More  jsontext.Value `json:",embed"`
}

type scalars struct {
	B    bool    `json:"b"`
	I    int     `json:"i"`
	I8   int8    `json:"i8"`
	I16  int16   `json:"i16"`
	I32  int32   `json:"i32"`
	I64  int64   `json:"i64"`
	U    uint    `json:"u"`
	U8   uint8   `json:"u8"`
	U32  uint32  `json:"u32"`
	U64  uint64  `json:"u64"`
	F32  float32 `json:"f32"`
	F64  float64 `json:"f64"`
	S    string  `json:"s"`
	FS   float64 `json:"fs,string"`
	IS   *int32  `json:"is,string"`
	Kyr  string  `json:"имя"`
	Odd  string  `json:"odd <name>"`
	Bare string
}

type containers struct {
	Bytes   []byte               `json:"bytes"`
	Hash    [4]byte              `json:"hash"`
	Small   [2]int               `json:"small"`
	Grid    [][]float64          `json:"grid"`
	ByInt   map[int]string       `json:"by_int"`
	ByUint  map[uint8]bool       `json:"by_uint"`
	ByEnum  map[status]int       `json:"by_enum"`
	Deep    map[string][]address `json:"deep"`
	Ptrs    []*int               `json:"ptrs"`
	Twice   **int                `json:"twice"`
	PtrMap  map[string]*bool     `json:"ptr_map"`
	Levels  []urgency            `json:"levels"`
	Anon    struct{ X, Y int }   `json:"anon"`
	NoField struct{}             `json:"no_field"`
}

type loose struct {
	Any  any                `json:"any"`
	Raw  stdjson.RawMessage `json:"raw"`
	Val  jsontext.Value     `json:"val,omitempty"`
	List []any              `json:"list"`
	Map  map[string]any     `json:"map"`
}

// hexColor is a type with text methods and typed constants.
type hexColor uint32

func (c hexColor) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "#%06x", uint32(c)), nil }

func (c *hexColor) UnmarshalText(b []byte) error {
	var n uint32
	if _, err := fmt.Sscanf(string(b), "#%06x", &n); err != nil || len(b) != 7 {
		return fmt.Errorf("a color looks like #ff8800")
	}
	*c = hexColor(n)
	return nil
}

// money describes its own JSON.
type money struct{ cents int64 }

func (m money) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"amount":"%d.%02d"}`, m.cents/100, m.cents%100), nil
}

func (m *money) UnmarshalJSON(b []byte) error {
	var whole, cents int64
	if _, err := fmt.Sscanf(string(b), `{"amount":"%d.%2d"}`, &whole, &cents); err != nil {
		return fmt.Errorf("an amount looks like 12.50")
	}
	m.cents = whole*100 + cents
	return nil
}

func (money) JSONSchema() jsontext.Value {
	return jsontext.Value(`{"type": "object", "properties": {"amount": {"type": "string", "pattern": "^[0-9]+\\.[0-9]{2}$"}},
		"required": ["amount"], "additionalProperties": false}`)
}

type texts struct {
	Addr  netip.Addr  `json:"addr"`
	Color hexColor    `json:"color"`
	Maybe *hexColor   `json:"maybe"`
	Price money       `json:"price"`
	Other *money      `json:"other"`
	All   []hexColor  `json:"all"`
	Net   netip.Addr  `json:"net,omitzero"`
	Ptr   *netip.Addr `json:"ptr,omitempty"`
}

type query struct {
	Search *string `json:"search"`
	Page   int     `json:"page,omitempty"`
}

type storeArgs struct {
	ID     int64  `json:"id"`
	Input  order  `json:"input"`
	Query  query  `json:"query"`
	Filter *query `json:"filter"`
}

type ruled struct {
	Name    string         `json:"name" validate:"required,min=2,max=50"`
	Given   *string        `json:"given" validate:"required"`
	Email   string         `json:"email" validate:"omitempty,email"`
	Site    string         `json:"site,omitempty" validate:"omitempty,url"`
	ID      string         `json:"id" validate:"uuid"`
	Day     string         `json:"day" validate:"datetime=2006-01-02"`
	When    string         `json:"when" validate:"datetime=2006-01-02T15:04:05Z07:00"`
	Size    string         `json:"size" validate:"oneof=S M 'extra large'"`
	Opt     string         `json:"opt" validate:"omitempty,oneof=a b"`
	Num     int            `json:"num" validate:"oneof=1 2 3"`
	Age     uint8          `json:"age" validate:"gte=18,lt=130"`
	Wide    int8           `json:"wide" validate:"min=-500,max=100"`
	Score   float64        `json:"score" validate:"gt=0,lte=1.5"`
	Code    string         `json:"code" validate:"len=4,alphanum"`
	Prefix  string         `json:"prefix" validate:"startswith=a.b"`
	Comma   string         `json:"comma" validate:"contains=a0x2Cb"`
	Lines   []line         `json:"lines" validate:"required,min=1,max=9"`
	Tags    []string       `json:"tags" validate:"max=3,unique,dive,min=1,max=10"`
	Scores  map[string]int `json:"scores" validate:"min=1,dive,keys,max=5,endkeys,gte=0"`
	Either  string         `json:"either" validate:"ipv4|ipv6"`
	Exact   string         `json:"exact" validate:"eq=yes"`
	Strange string         `json:"strange" validate:"frobnicate=3,min=abc"`
	Ptr     *int           `json:"ptr" validate:"omitempty,min=1"`
	Large   int64          `json:"large,string" validate:"min=1"`
}

// docs is what a generator would write about these types.
func docs() Docs {
	pkg := reflect.TypeFor[order]().PkgPath() + "."
	return Docs{
		pkg + "status":   {Doc: "status says how far an order is.\n", Enum: []any{"open", "paid", "sent"}},
		pkg + "urgency":  {Doc: "urgency is how urgent it is.", Enum: []any{float64(1), 2, urgency(3)}},
		pkg + "hexColor": {Doc: "hexColor is a color.", Enum: []any{hexColor(0xff0000), float64(0x00ff00), "#0000ff"}},
		pkg + "order":    {Doc: "order is what a customer wants.", Fields: map[string]string{"ID": "ID is given by the database.\n", "Billing": "Billing is where the bill goes."}},
		pkg + "base":     {Fields: map[string]string{"ID": "ID of whatever embeds base."}},
		pkg + "money":    {Doc: "money is an amount in euros."},
		pkg + "pageOf":   {Doc: "pageOf is one page of a list.", Fields: map[string]string{"Next": "Next is the first item of the next page."}},
	}
}

// shapes are the types by the name of their golden file.
func shapes() map[string]reflect.Type {
	return map[string]reflect.Type{
		"order":          reflect.TypeFor[order](),
		"store_args":     reflect.TypeFor[storeArgs](),
		"tree":           reflect.TypeFor[tree](),
		"tree_pointer":   reflect.TypeFor[*tree](),
		"forest":         reflect.TypeFor[struct{ Forest forest }](),
		"page":           reflect.TypeFor[pageOf[order]](),
		"pages":          reflect.TypeFor[struct{ A, B pageOf[pairOf[string, order]] }](),
		"embedding":      reflect.TypeFor[embedding](),
		"open_ended":     reflect.TypeFor[openEnded](),
		"open_raw":       reflect.TypeFor[openRaw](),
		"scalars":        reflect.TypeFor[scalars](),
		"containers":     reflect.TypeFor[containers](),
		"loose":          reflect.TypeFor[loose](),
		"texts":          reflect.TypeFor[texts](),
		"ruled":          reflect.TypeFor[ruled](),
		"none":           reflect.TypeFor[struct{}](),
		"optional_query": reflect.TypeFor[struct{ Query query }](),
	}
}

// addAll returns the shapes as nodes of one graph.
func addAll(t interface {
	Helper()
	Fatalf(string, ...any)
},
) map[string]*Type {
	t.Helper()
	g := New()
	if err := g.AddDocs(docs()); err != nil {
		t.Fatalf("AddDocs: %v", err)
	}
	nodes := map[string]*Type{}
	for name, typ := range shapes() {
		node, err := g.Add(typ)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		nodes[name] = node
	}
	return nodes
}

// quoteLines makes a JSON text from lines in which ' stands for ".
func quoteLines(s string) string { return strings.ReplaceAll(s, "'", `"`) }
