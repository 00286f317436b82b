package resource

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, plural, want, note string }{
		{name: "product", want: "product products products Product"},
		{name: "Product", want: "product products products Product"},
		{name: "products", want: "product products products Product", note: "products is the plural of product"},
		{name: "order-line", want: "order_line order_lines orderlines OrderLine"},
		{name: "order_line", want: "order_line order_lines orderlines OrderLine"},
		{name: "orderLine", want: "order_line order_lines orderlines OrderLine"},
		{name: "OrderLines", want: "order_line order_lines orderlines OrderLine", note: "order-lines is the plural of order-line"},
		{name: "HTTPServer", want: "http_server http_servers httpservers HTTPServer"},
		{name: "api-key", want: "api_key api_keys apikeys APIKey"},
		{name: "person", want: "person people people Person"},
		{name: "people", want: "person people people Person", note: "people is the plural of person"},
		{name: "child", want: "child children children Child"},
		{name: "category", want: "category categories categories Category"},
		{name: "status", want: "status statuses statuses Status"},
		{name: "address", want: "address addresses addresses Address"},
		{name: "bus", want: "bus buses buses Bus"},
		{name: "box", want: "box boxes boxes Box"},
		{name: "key", want: "key keys keys Key"},
		{name: "analysis", want: "analysis analyses analyses Analysis"},
		{name: "equipment", want: "equipment equipment equipment Equipment"},
		{name: "series", want: "series series series Series"},
		{name: "level2", want: "level2 level2s level2s Level2"},
		{name: "type", want: "type types types Type"}, // a keyword, of which the package is the plural
		{name: "string", want: "string strings strings String"},
		{name: "user", want: "user users users User"},
		{name: "service", want: "service services services Service"},
		{name: "kaktus", plural: "kakteen", want: "kaktus kakteen kakteen Kaktus"},
		{name: "products", plural: "product-list", want: "products product_list productlist Products"},
	} {
		n, notes, err := parseName(tt.name, tt.plural)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := strings.Join([]string{n.Singular, n.Plural, n.Package, n.Type}, " "); got != tt.want {
			t.Errorf("%s is %s; want %s", tt.name, got, tt.want)
		}
		if got := strings.Join(notes, "\n"); !strings.HasPrefix(got, tt.note) || (tt.note == "") != (got == "") {
			t.Errorf("%s: the note is %q; want %q", tt.name, got, tt.note)
		}
	}
}

func TestServiceHasAnotherNameBesideARowCalledService(t *testing.T) {
	t.Parallel()
	n, _, err := parseName("service", "")
	if err != nil || n.Service() != "Services" {
		t.Errorf("the type with the commands is %s (%v)", n.Service(), err)
	}
}

func TestNamesThatMeanSomethingElse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, plural, want string }{
		{"", "", "is empty"},
		{"-", "", "has no letters"},
		{"größe", "", `'ö' is not one of the letters a to z`},
		{"商品", "", "is not one of the letters a to z"},
		{"two words", "", `' ' has no place in a name`},
		{"../etc", "", `'.' has no place in a name`},
		{"a/b", "", `'/' has no place`},
		{"2fast", "", "begins with a digit"},
		{"order-2", "", "2 begins with a digit"},
		{strings.Repeat("long-", 8) + "name", "", "longer than 40"},
		{"resource", "", "resources is a folder of the app itself"},
		{"migration", "", "migrations is a folder of the app itself"},
		{"agent", "", "agents is a folder of the app itself"},
		{"x", "ui", "ui is a folder of the app itself"},
		{"x", "func", "func is a keyword of Go"},
		{"x", "sql", "sql is a package"},
		{"x", "internal", "internal is a folder with a meaning"},
		{"x", "documentation", "documentation is a folder with a meaning"},
		{"x", "delete", "delete is a reserved word of JavaScript"},
		{"x", "service", "service is the file with the commands"},
		{"x", "aux", "aux is a device on Windows"},
		{"x", "goose-db-version", "goose_db_version is a table"},
		{"sqlite-stat", "", "tables that begin with sqlite_"},
		{"x", "größen", `plural "größen"`},
	} {
		if n, _, err := parseName(tt.name, tt.plural); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q %q: %+v, %v; want an error with %q", tt.name, tt.plural, n, err, tt.want)
		}
	}
}

func TestArticles(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"product": "a", "order line": "an", "user": "a", "unit": "a", "hour": "an", "invoice": "an", "euro": "a", "unimportant thing": "an", "European": "a",
	} {
		if got := article(strings.ToLower(word)); got != want {
			t.Errorf("%s %s", got, word)
		}
	}
}
