package loop

import (
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxRepeats is how often in a row the model may make the same calls with the same results.
const maxRepeats = 5

// repeats notices a model that goes round in circles.
type repeats struct {
	seen  [3][sha256.Size]byte // the last steps
	steps int
	same  int
}

// see takes a step: calls and what they came to. A step that is the same as one of the last three counts; other results
// mean that something goes on.
func (r *repeats) see(calls []*model.Call, results []model.Block) error {
	step := struct {
		Names   []string
		Args    []string
		Results []model.Block
	}{}
	for i, c := range calls {
		step.Names, step.Args = append(step.Names, c.Name), append(step.Args, string(c.Arguments)+c.Raw)
		result := *results[i].Result
		result.CallID = ""
		step.Results = append(step.Results, model.Block{Result: &result})
	}
	text, err := json.Marshal(step, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("look for repeated calls: %w", err)
	}
	sum := sha256.Sum256(text)
	again := false
	for i := range min(r.steps, len(r.seen)) {
		again = again || r.seen[i] == sum
	}
	r.seen[r.steps%len(r.seen)] = sum
	r.steps++
	if !again {
		r.same = 0
		return nil
	}
	if r.same++; r.same >= maxRepeats {
		return fmt.Errorf("the model has made the same calls with the same results %d times: say how to go on", r.same+1)
	}
	return nil
}
