package catalog

import "strings"

const (
	maxExposed = 64 // bytes of an exposed name, the least that model providers allow
	exposedFix = len("mcp__") + len("__")
)

// Identity is what a tool is called and permitted by: the server's configured name and the tool's own.
type Identity struct{ Server, Tool string }

// Names is one table of identities and exposed names. An exposed name is only ever looked up in it, never taken apart.
type Names struct {
	byName     map[string]Identity
	byIdentity map[Identity]string
}

// Expose gives each of the tools its name for a model, unique among them, and returns the table of all. The name is
// mcp__<server>__<tool> where that fits [A-Za-z0-9_-]{1,64} and no other tool of the table would get it; otherwise it is
// cut and a hash of the identity is added. The order of the tools does not matter.
func Expose(tools []Tool) *Names {
	n := &Names{byName: make(map[string]Identity, len(tools)), byIdentity: make(map[Identity]string, len(tools))}
	hashed := map[Identity]int{} // How many digits of its hash a tool gets.
	for {
		taken := make(map[string][]Identity, len(tools))
		for i := range tools {
			id := Identity{tools[i].Server, tools[i].Name}
			if name, digits := exposedName(id, hashed[id]); n.byIdentity[id] != name {
				n.byIdentity[id], hashed[id] = name, digits
			}
		}
		for id, name := range n.byIdentity {
			taken[name] = append(taken[name], id)
		}
		if len(taken) == len(n.byIdentity) {
			break
		}
		for _, ids := range taken {
			for _, id := range ids {
				if len(ids) > 1 {
					hashed[id] = max(8, hashed[id]*2)
				}
			}
		}
	}
	for i := range tools {
		id := Identity{tools[i].Server, tools[i].Name}
		tools[i].Exposed = n.byIdentity[id]
		n.byName[tools[i].Exposed] = id
	}
	return n
}

// Identity returns whose name it is.
func (n *Names) Identity(exposed string) (Identity, bool) {
	id, ok := n.byName[exposed]
	return id, ok
}

// Name returns the exposed name of a tool.
func (n *Names) Name(id Identity) (string, bool) {
	name, ok := n.byIdentity[id]
	return name, ok
}

// exposedName returns a name with so many digits of the identity's hash, or with eight when one without does not fit.
func exposedName(id Identity, digits int) (name string, used int) {
	server, tool := clean(id.Server), clean(id.Tool)
	whole := "mcp__" + server + "__" + tool
	if digits == 0 && server == id.Server && tool == id.Tool && len(whole) <= maxExposed {
		return whole, 0
	}
	digits = min(max(digits, 8), 32)
	room := maxExposed - exposedFix - 1 - digits
	// A tool's name says more than its server's, which keeps a third of the room at least.
	server = server[:min(len(server), max(room/3, room-len(tool)))]
	tool = tool[:min(len(tool), room-len(server))]
	d := newDigest()
	d.add(id.Server, id.Tool)
	return "mcp__" + server + "__" + tool + "_" + d.sum()[:digits], digits
}

// clean replaces each run of characters that an exposed name cannot have by one _.
func clean(s string) string {
	var b strings.Builder
	bad := false
	for _, r := range s {
		good := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
		switch {
		case good:
			b.WriteRune(r)
		case !bad:
			b.WriteByte('_')
		}
		bad = !good
	}
	return b.String()
}
