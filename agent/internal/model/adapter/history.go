package adapter

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// OmittedImage is what a model that sees no images gets instead of one.
const OmittedImage = "[an image was left out: this model cannot see images]"

// Sendable returns what of a message may be sent for a request: no empty text, no images to a model that sees none, and of
// thinking only what may says yes to and what stands before something else, for no vendor takes a thought without what it
// led to. The thinking of an answer that was not finished is left out.
func Sendable(r model.Request, m model.Message, may func(*model.Thinking) bool) []model.Block {
	finished := m.Stop != model.StopError && m.Stop != model.StopCancelled
	var blocks []model.Block
	for _, b := range m.Content {
		switch {
		case b.Thinking != nil:
			if finished && may(b.Thinking) {
				blocks = append(blocks, b)
			}
		case b.Image != nil && !r.Model.Images:
			blocks = append(blocks, model.Text(OmittedImage))
		case b.Call == nil && b.Result == nil && b.Image == nil && strings.TrimSpace(b.Text) == "":
		default:
			blocks = append(blocks, b)
		}
	}
	for len(blocks) > 0 && blocks[len(blocks)-1].Thinking != nil {
		blocks = blocks[:len(blocks)-1]
	}
	return blocks
}

// ResultContent returns the content of a result with no image for a model that sees none, and with something in it.
func ResultContent(r model.Request, result *model.Result) []model.Block {
	var blocks []model.Block
	for _, b := range result.Content {
		switch {
		case b.Image != nil && r.Model.Images:
			blocks = append(blocks, b)
		case b.Image != nil:
			blocks = append(blocks, model.Text(OmittedImage))
		case strings.TrimSpace(b.Text) != "":
			blocks = append(blocks, model.Text(b.Text))
		}
	}
	if len(blocks) == 0 {
		blocks = append(blocks, model.Text("(no output)"))
	}
	return blocks
}

// ID returns an id that every vendor takes for one that some vendor made: itself, or a hash of it.
func ID(id string) string {
	if model.ValidName(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:16])
}

// CallName returns a name that every vendor takes for one that a model made up.
func CallName(name string) string {
	if model.ValidName(name) {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if model.ValidName(string(r)) {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), 64)]
}
