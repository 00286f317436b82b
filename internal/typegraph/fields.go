package typegraph

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// member is a Go field that becomes one member of a JSON object.
type member struct {
	name      string
	hasName   bool // the name stands in the tag
	index     []int
	goField   reflect.StructField
	owner     reflect.Type
	options   []string // of the json tag, after the name
	byPointer bool     // reached through an embedded pointer, which may be nil
}

// has reports whether the json tag has the option.
func (m *member) has(option string) bool { return slices.Contains(m.options, option) }

// level is a struct whose fields are still to be looked at.
type level struct {
	typ       reflect.Type
	index     []int
	byPointer bool
	// children is false when the struct was met before: its own fields then only
	// take part in conflicts, and a struct that embeds itself ends there.
	children bool
}

// members lists the JSON members of the struct t in declaration order, after
// embedding, and the field that takes all other members (nil for none). It expects
// tags that the JSON library accepts.
func members(t reflect.Type) (list []member, rest *member) {
	var all, rests []member
	seen := map[reflect.Type]bool{t: true}
	for queue := []level{{typ: t, children: true}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for i := range at.typ.NumField() {
			m, ok := readMember(at, i)
			if !ok {
				continue
			}
			target := m.goField.Type
			if target.Kind() == reflect.Pointer && target.Name() == "" {
				target = target.Elem()
			}
			embedded := m.has("embed") || m.goField.Anonymous && !m.hasName
			switch {
			case !embedded:
				all = append(all, m)
			case target.Kind() != reflect.Struct:
				rests = append(rests, m)
			case at.children:
				queue = append(queue, level{
					typ: target, index: m.index, children: !seen[target],
					byPointer: at.byPointer || target != m.goField.Type,
				})
				seen[target] = true
			}
		}
	}
	if len(rests) == 1 || len(rests) > 1 && len(rests[0].index) != len(rests[1].index) {
		rest = &rests[0]
	}
	return dominant(all), rest
}

// readMember reads field i of a struct; false means that JSON never sees it.
func readMember(at level, i int) (member, bool) {
	f := at.typ.Field(i)
	tag := f.Tag.Get("json")
	if tag == "-" || !f.IsExported() && !f.Anonymous {
		return member{}, false
	}
	words := strings.Split(tag, ",")
	m := member{
		name: cmp.Or(words[0], f.Name), hasName: words[0] != "", options: words[1:],
		index: append(slices.Clone(at.index), i), goField: f, owner: at.typ, byPointer: at.byPointer,
	}
	return m, true
}

// dominant keeps, of members with the same name, the one that is alone at the
// shallowest depth, or alone there in having its name from a tag.
func dominant(all []member) []member {
	depth := func(m member) (int, bool) { return len(m.index), m.hasName }
	slices.SortStableFunc(all, func(x, y member) int {
		named := 0
		if x.hasName != y.hasName {
			named = 1
			if x.hasName {
				named = -1
			}
		}
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(len(x.index), len(y.index)), named)
	})
	var kept []member
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].name == all[0].name {
			n++
		}
		if n == 1 {
			kept = append(kept, all[0])
		} else {
			d0, t0 := depth(all[0])
			d1, t1 := depth(all[1])
			if d0 != d1 || t0 != t1 {
				kept = append(kept, all[0])
			}
		}
		all = all[n:]
	}
	slices.SortFunc(kept, func(x, y member) int { return slices.Compare(x.index, y.index) })
	return kept
}
