package elyratest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// observed is a test that is not to fail: it keeps what the one under test would fail with.
type observed struct {
	testing.TB
	mu     sync.Mutex
	errors []string
}

func (o *observed) Errorf(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.errors = append(o.errors, fmt.Sprintf(format, args...))
}

// price says that it is an integer and is written as a text.
type price int64

func (price) JSONSchema() jsontext.Value     { return jsontext.Value(`{"type":"integer"}`) }
func (p price) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d"`, int64(p)), nil }
func (p *price) UnmarshalJSON([]byte) error  { return nil }

func shop(*elyra.Env) (*elyra.App, error) {
	type item struct {
		Price price `json:"price"`
	}
	type cheap struct {
		Price int64 `json:"price"`
	}
	can := elyra.CommandOptions{Can: "shop.view"}
	return elyra.New().Commands(
		elyra.NewCommand("dear", func(context.Context, struct{}) (item, error) { return item{7}, nil }, can),
		elyra.NewCommand("cheap", func(context.Context, struct{}) (cheap, error) { return cheap{7}, nil }, can),
	).MCP(elyra.NewMCP().AllowAbility("shop.view")), nil
}

func TestAResultThatDoesNotFitItsSchemaFailsTheTest(t *testing.T) {
	t.Parallel()
	o := &observed{TB: t}
	agent := elyratest.New(o, shop).MCP()
	if r := agent.Call("cheap", nil); r.IsError || len(o.errors) > 0 {
		t.Errorf("a result that fits: %+v, %q", r, o.errors)
	}
	agent.Call("dear", nil)
	if len(o.errors) != 1 || !strings.Contains(o.errors[0], "outputSchema") || !strings.Contains(o.errors[0], "at '/price'") || !strings.Contains(o.errors[0], `{"price":"7"}`) {
		t.Errorf("the test was failed with %q; want the place and the message", o.errors)
	}
}
