package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"github.com/go-json-experiment/json"
)

// digest hashes a sequence of texts so that no two sequences look the same.
type digest struct{ h hash.Hash }

func newDigest() digest { return digest{sha256.New()} }

func (d digest) add(parts ...string) {
	var size [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		d.h.Write(size[:])
		d.h.Write([]byte(p))
	}
}

func (d digest) addJSON(v any) {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		b = []byte(err.Error()) // Text that came out of JSON goes back into it.
	}
	d.add(string(b))
}

func (d digest) sum() string { return hex.EncodeToString(d.h.Sum(nil)) }

// toolHash hashes what a person approves and a model reads.
func toolHash(t Tool, input *node) string {
	d := newDigest()
	d.add(t.Title, t.Description, string(input.append(nil, true)))
	d.addJSON(t.Annotations)
	return d.sum()
}

// listingHash hashes a whole listing that has its order. The order of members in an output schema counts, which costs at
// most a needless write of the cache.
func listingHash(l Listing) string {
	d := newDigest()
	d.add(l.Era, l.Instructions)
	for _, t := range l.Tools {
		d.add(t.Name, t.Hash, string(t.OutputSchema))
	}
	d.addJSON(l.Quarantined)
	d.addJSON(l.Resources)
	d.addJSON(l.Templates)
	d.addJSON(l.Prompts)
	return d.sum()
}
