package resource

import (
	"strings"
	"testing"
)

func TestFields(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name:string":                       "Name string `json:\"name\" validate:\"required,max=200\"`",
		"name:string:max=50":                "Name string `json:\"name\" validate:\"required,max=50\"`",
		"name:string?":                      "Name *string `json:\"name,omitempty\" validate:\"max=200\"`",
		"name:string:optional:unique":       "Name *string `json:\"name,omitempty\" validate:\"max=200\"`",
		"unit-price:decimal":                "UnitPrice decimal.Two `json:\"unitPrice\" validate:\"numeric\"`",
		"unitPrice:decimal(4)":              "UnitPrice decimal.Four `json:\"unitPrice\" validate:\"numeric\"`",
		"unit_price:decimal=1:optional":     "UnitPrice *decimal.One `json:\"unitPrice,omitempty\" validate:\"numeric\"`",
		"stock:int":                         "Stock int64 `json:\"stock\" validate:\"min=-9007199254740991,max=9007199254740991\"`",
		"stock:int:min=0:max=10":            "Stock int64 `json:\"stock\" validate:\"min=0,max=10\"`",
		"stock:int:min=-0":                  "Stock int64 `json:\"stock\" validate:\"min=0,max=9007199254740991\"`",
		"weight:float:max=0.5":              "Weight float64 `json:\"weight\" validate:\"max=0.5\"`",
		"done:bool":                         "Done bool `json:\"done\"`",
		"due:date":                          "Due string `json:\"due\" validate:\"required,datetime=2006-01-02\"`",
		"at:datetime?":                      "At *time.Time `json:\"at,omitempty\"`",
		"email:email:unique":                "Email string `json:\"email\" validate:\"required,email,max=200\"`",
		"site:url":                          "Site string `json:\"site\" validate:\"required,http_url,max=2000\"`",
		"token:uuid":                        "Token string `json:\"token\" validate:\"required,uuid\"`",
		"customer_id:int:min=1":             "CustomerID int64 `json:\"customerId\" validate:\"min=1,max=9007199254740991\"`",
		"status:enum(open,in_progress,EUR)": "Status  `json:\"status\"`",
		"status:enum=open,done:optional":    "Status * `json:\"status,omitempty\"`",
		"type:text":                         "Type string `json:\"type\" validate:\"required,max=10000\"`",
	} {
		f, err := parseField(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := f.Go + " " + f.InType() + " `" + f.InTag() + "`"; got != want {
			t.Errorf("%s is %s; want %s", text, got, want)
		}
	}
}

func TestFieldsThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name":                            "it has no type: write one behind a colon, such as name:string",
		":string":                         "is empty",
		"name:":                           `no type ""`,
		"name:strin":                      "did you mean string?",
		"name:varchar":                    "write string",
		"price:money":                     "write decimal",
		"at:timestamp":                    "write datetime",
		"x:blob":                          "there are string, text, int",
		"customer:references":             "an int such as customer_id:int",
		"id:int":                          "has a field id already",
		"createdAt:datetime":              "has a field created_at already",
		"clear:bool":                      "take another name",
		"rowid:int":                       "databases keep",
		"größe:int":                       "is not one of the letters a to z",
		"na me:string":                    "has no place",
		"2nd:string":                      "begins with a digit",
		"name:string:required":            "leave the word out",
		"name:string:optional:optional":   "said twice",
		"name:string:size=4":              `no "size"`,
		"name:string:max=0":               "from 1",
		"name:string:max=many":            "from 1",
		"name:string:min=3":               "string has no min",
		"name:string(3)":                  "string takes no",
		"name:string:max=601:unique":      "cannot be unique",
		"name:string:max=1:unique":        "take max=2",
		"stock:int:max=1.5":               "whole number",
		"stock:int:max=1e3":               "is a number such as",
		"stock:int:max=9007199254740992":  "is a number such as",
		"stock:int:min=3:max=2":           "min 3 is more than its max 2",
		"stock:int:unique:min=1:max=2":    "so few values",
		"price:decimal(0)":                "1 to 6 decimal places",
		"price:decimal(7)":                "1 to 6 decimal places",
		"price:decimal()":                 "1 to 6 decimal places",
		"price:decimal:max=3":             "decimal has no max",
		"done:bool:unique":                "bool cannot be unique",
		"about:text:unique":               "text cannot be unique",
		"status:enum":                     "has its values behind it",
		"status:enum()":                   "has its values behind it",
		"status:enum(a,,b)":               "a comma is too much",
		"status:enum(a b)":                "take a short word",
		"status:enum(ä)":                  "take a short word",
		"status:enum(a,A)":                "cannot be told apart",
		"status:enum(in_progress,in-prog": "parentheses do not match",
		"status:enum(a))":                 "parentheses do not match",
		"status:enum(in_a,in-a)":          "cannot be told apart",
		"status:enum(\"a\")":              "take a short word",
		strings.Repeat("n", 41) + ":int":  "longer than 40",
	} {
		if f, err := parseField(text); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "field ") {
			t.Errorf("%s: %+v, %v; want an error with %q", text, f, err, want)
		}
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := Parse("größe", "", []string{"name:strin", "price:decimal", "Price:int", "done:bool:unique"})
	if err == nil {
		t.Fatal("it was accepted")
	}
	for _, want := range []string{`name "größe"`, "did you mean string?", "field price: there is a field price already", "cannot be unique"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
	if _, err := Parse("product", "", nil); err == nil || !strings.Contains(err.Error(), "product has no fields") {
		t.Errorf("without fields: %v", err)
	}
}

func TestGoNamesOfEnumsAreFree(t *testing.T) {
	t.Parallel()
	s, err := Parse("order", "", []string{"input:enum(a)", "in:enum(put,b_c)", "in_b:enum(c)"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.EnumType)
		for _, v := range f.Values {
			names = append(names, v.Go)
		}
	}
	if got, want := strings.Join(names, " "), "OrderInputValue OrderInputValueA OrderIn OrderInPut OrderInBC OrderInB OrderInBCValue"; got != want {
		t.Errorf("the names are %s; want %s", got, want)
	}
}
