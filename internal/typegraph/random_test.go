package typegraph

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fill stores a random value in v. depth bounds recursion.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *status:
		*p = []status{"open", "paid", "sent"}[r.IntN(3)]
		return
	case *urgency:
		*p = urgency(1 + r.IntN(3))
		return
	case *hexColor:
		*p = []hexColor{0xff0000, 0x00ff00, 0x0000ff}[r.IntN(3)]
		return
	case *money:
		p.cents = r.Int64N(1e6)
		return
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{byte(r.Uint32()), 1, 2, 3})
		return
	case *time.Time:
		*p = time.Unix(r.Int64N(4e9), r.Int64N(1e9)).In(time.FixedZone("", 3600*(r.IntN(20)-10)))
		return
	}
	if v.Kind() == reflect.Slice && v.Type().ConvertibleTo(reflect.TypeFor[jsontext.Value]()) && v.Type().PkgPath() != "" {
		raw, err := Encode(randomJSON(r, depth))
		if err != nil {
			panic(err)
		}
		v.SetBytes(raw)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64))
		if v.OverflowInt(v.Int()) {
			v.SetInt(1)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(r.Uint32()&^(1<<30) | 1)))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(r.Uint64()&^(1<<62) | 1))
	case reflect.String:
		v.SetString(randomString(r))
	case reflect.Interface:
		v.Set(reflect.ValueOf(randomJSON(r, depth)))
	case reflect.Pointer:
		if depth > 0 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth-1)
		}
	default:
		fillMany(r, v, depth)
	}
}

// fillMany fills what holds several values.
func fillMany(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Slice:
		if n := r.IntN(3); depth > 0 && n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(r, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth <= 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key, depth-1)
			fill(r, elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch {
			case f.Tag.Get("json") == ",embed" && f.Type == reflect.TypeFor[jsontext.Value]():
				v.Field(i).SetBytes([]byte(`{"other":[1.5,null]}`))
			case f.IsExported():
				fill(r, v.Field(i), depth-1)
			case f.Anonymous && f.Type.Kind() == reflect.Struct:
				// Fields of an unexported embedded struct are set one by one.
				for j := range f.Type.NumField() {
					if inner := v.Field(i).Field(j); inner.CanSet() {
						fill(r, inner, depth-1)
					}
				}
			}
		}
	}
}

func randomString(r *rand.Rand) string {
	alphabet := []rune("aZ09 _\"\\/\n\t\x00<>é\u2028😀\u202e")
	out := make([]rune, r.IntN(6))
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out)
}

// randomJSON is a value that is not null, since a nil any cannot be told from one.
func randomJSON(r *rand.Rand, depth int) any {
	switch n := r.IntN(6); {
	case n == 0 && depth > 0:
		return []any{randomJSON(r, depth-1), nil}
	case n == 1 && depth > 0:
		return map[string]any{randomString(r): randomJSON(r, depth-1), "k": nil}
	case n == 2:
		return r.NormFloat64() * 1e20
	case n == 3:
		return float64(r.IntN(1000))
	case n == 4:
		return r.IntN(2) == 0
	default:
		return randomString(r)
	}
}

// TestRandomValues checks that whatever a program can hold fits both schemas of its
// type and is accepted as an argument, and comes back as it was.
func TestRandomValues(t *testing.T) {
	t.Parallel()
	nodes := addAll(t)
	delete(nodes, "ruled") // its values have to obey the rules of its tags
	for name, typ := range nodes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			in, out := compile(t, typ.Schema(SchemaOptions{})), compile(t, typ.Schema(SchemaOptions{Output: true}))
			for range 60 {
				value := reflect.New(typ.goType)
				fill(r, value.Elem(), 7)
				raw, err := Encode(value.Interface())
				if err != nil {
					t.Fatal(err)
				}
				if err := fits(t, out, raw); err != nil {
					t.Fatalf("output schema: %v\n%s", err, raw)
				}
				if typ.kind == kindPointer && string(raw) == "null" {
					continue
				}
				if err := fits(t, in, raw); err != nil {
					t.Fatalf("input schema: %v\n%s", err, raw)
				}
				roundTrip(t, typ, raw)
			}
		})
	}
}

// roundTrip checks Canonical against raw, a JSON text that fits typ.
func roundTrip(t *testing.T, typ *Type, raw jsontext.Value) {
	t.Helper()
	first, err := typ.Canonical(raw)
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	spelled := raw.Clone()
	shuffle(t, &spelled)
	second, err := typ.Canonical(spelled)
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("two spellings differ (%v):\n%s\n%s", err, first, second)
	}
	back := reflect.New(typ.goType)
	if err := Decode(first, back.Interface()); err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	again, err := Encode(back.Interface())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := typ.Canonical(again); err != nil || !bytes.Equal(got, first) {
		t.Fatalf("decoding changed the value (%v):\n%s\n%s", err, first, got)
	}
}

// shuffle reverses the members of the outer object and adds white space.
func shuffle(t *testing.T, raw *jsontext.Value) {
	t.Helper()
	if raw.Kind() != jsontext.KindBeginObject {
		return
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(*raw, &members); err != nil {
		t.Fatal(err)
	}
	out := []byte("{ ")
	for i, name := range slices.Backward(slices.Sorted(maps.Keys(members))) {
		out, _ = jsontext.AppendQuote(out, name)
		out = append(append(out, " : "...), members[name]...)
		if i > 0 {
			out = append(out, ",\n"...)
		}
	}
	*raw = append(out, " }"...)
}

// TestRandomMutations checks that Canonical and the schema agree about texts that
// went wrong in one place.
func TestRandomMutations(t *testing.T) {
	t.Parallel()
	nodes := addAll(t)
	for _, name := range []string{"order", "store_args", "page", "scalars", "containers", "tree", "embedding", "optional_query"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			typ := nodes[name]
			schema := compile(t, typ.Schema(SchemaOptions{}))
			r := rand.New(rand.NewPCG(2, uint64(len(name))))
			refused := 0
			for range 30 {
				value := reflect.New(typ.goType)
				fill(r, value.Elem(), 7)
				raw, err := Encode(value.Interface())
				if err != nil {
					t.Fatal(err)
				}
				for what, bad := range mutations(t, r, raw) {
					_, err := typ.Canonical(bad)
					valid := fits(t, schema, bad)
					if (err == nil) != (valid == nil) {
						t.Fatalf("%s: Canonical says %v, the schema says %v\n%s", what, err, valid, bad)
					}
					if err != nil {
						refused++
					}
					if what == "unknown member" && err == nil {
						t.Fatalf("%s was accepted: %s", what, bad)
					}
				}
			}
			if refused == 0 {
				t.Error("no mutation was refused")
			}
		})
	}
}

// mutations are copies of an object with a member dropped, added or of another kind.
func mutations(t *testing.T, r *rand.Rand, raw jsontext.Value) map[string]jsontext.Value {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatal(err)
	}
	out := map[string]jsontext.Value{}
	add := func(what string, change func(map[string]any)) {
		copied := maps.Clone(members)
		change(copied)
		bad, err := Encode(copied)
		if err != nil {
			t.Fatal(err)
		}
		out[what] = bad
	}
	add("unknown member", func(m map[string]any) { m["zz"] = 1 })
	for name := range members {
		add("drop "+name, func(m map[string]any) { delete(m, name) })
		for i, other := range []any{true, "zz", 0.5, []any{[]any{[]any{true}}}, map[string]any{"zz": map[string]any{"zz": 0.5}}, nil} {
			if r.IntN(3) == 0 {
				add(fmt.Sprintf("kind %d of %s", i, name), func(m map[string]any) { m[name] = other })
			}
		}
	}
	return out
}
