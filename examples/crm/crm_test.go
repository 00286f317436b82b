package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

type listed struct {
	Items []struct {
		ID           int64
		Name, Status string
		Customer     string
	}
	Total, Page, PerPage int
}

func list(t *testing.T, text string) (l listed) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return l
}

func TestFreshCRMHasDataOnce(t *testing.T) {
	t.Parallel()
	env := elyratest.Env(t)
	var totals []int
	for range 2 {
		built, err := build(env)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := built.Start(t.Context(), env)
		if err != nil {
			t.Fatal(err)
		}
		text, err := instance.Call(t.Context(), elyra.Internal{}, "customers_index", nil)
		if err != nil {
			t.Fatal(err)
		}
		totals = append(totals, list(t, string(text)).Total)
		if err := instance.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if totals[0] != 324 || totals[1] != 324 {
		t.Errorf("two starts on one file find %v customers; want 324 each time", totals)
	}
}

func TestAgentWorksOnCustomers(t *testing.T) {
	t.Parallel()
	agentWorksOnCustomers(t, elyratest.Env(t))
}

func agentWorksOnCustomers(t *testing.T, env *elyra.Env) {
	app := elyratest.NewWith(t, env, build)
	shown := app.Live("customers_index", nil)
	agent := app.MCP(elyratest.Confirming("accept"))

	if r := agent.Call("customers_store", `{"input":{"name":"","email":"ada"}}`); !r.IsError || !strings.Contains(r.Text, "input.name") || !strings.Contains(r.Text, "input.email") {
		t.Errorf("a customer without name and address: %+v", r)
	}
	added := agent.Call("customers_store", `{"input":{"name":"Ada Lovelace","email":"ada@example.org","phone":"1"}}`)
	if added.IsError {
		t.Fatal(added.Text)
	}
	if l := list(t, shown.Next()); l.Items[0].Name != "Ada Lovelace" || l.Total != 325 {
		t.Errorf("the window's list begins with %+v of %d; want the new customer first", l.Items[0], l.Total)
	}
	if r := agent.Call("customers_store", `{"input":{"name":"Another","email":"ADA@example.org"}}`); !r.IsError || !strings.Contains(r.Text, "input.email: belongs to another customer") {
		t.Errorf("an address used twice: %+v", r)
	}
	var ada struct {
		ID           int64
		Phone, Email string
	}
	if err := json.Unmarshal([]byte(added.Structured), &ada); err != nil {
		t.Fatal(err)
	}
	changed := agent.Call("customers_update", fmt.Sprintf(`{"id":%d,"input":{"name":"Ada King","email":"ada@example.org"}}`, ada.ID))
	if changed.IsError || !strings.Contains(changed.Text, `"phone":"1"`) {
		t.Errorf("a change that leaves out the phone number: %+v; want it kept", changed)
	}
	found := list(t, agent.Call("customers_index", `{"query":{"search":"ada king","perPage":5}}`).Text)
	if found.Total != 1 || found.PerPage != 5 || found.Items[0].ID != ada.ID {
		t.Errorf("a search finds %+v", found)
	}
	if l := list(t, agent.Call("customers_index", `{"query":{"search":"%"}}`).Text); l.Total != 0 {
		t.Errorf("a search for %% finds %d customers; the sign has no meaning", l.Total)
	}

	gone := agent.Call("customers_destroy", map[string]any{"id": ada.ID})
	if gone.IsError || !strings.Contains(gone.Confirmation, "customers_destroy") {
		t.Errorf("a confirmed delete: %+v", gone)
	}
	for _, tool := range []string{"customers_show", "customers_destroy"} {
		if r := agent.Call(tool, map[string]any{"id": ada.ID}); !r.IsError || !strings.Contains(r.Text, "there is no customer") {
			t.Errorf("%s of a deleted customer: %+v", tool, r)
		}
	}
}

func TestAgentWorksOnOrders(t *testing.T) {
	t.Parallel()
	agentWorksOnOrders(t, elyratest.Env(t))
}

func agentWorksOnOrders(t *testing.T, env *elyra.Env) {
	app := elyratest.NewWith(t, env, build)
	agent := app.MCP()
	if r := agent.Call("orders_store", `{"input":{"customerId":999999,"item":"Lamp","quantity":1,"priceCents":1}}`); !r.IsError || !strings.Contains(r.Text, "input.customerId: there is no such customer") {
		t.Errorf("an order of nobody: %+v", r)
	}
	if r := agent.Call("orders_store", `{"input":{"customerId":1,"item":"Lamp","quantity":1,"priceCents":1,"status":"lost"}}`); !r.IsError || !strings.Contains(r.Text, `shipped`) {
		t.Errorf("an unknown status: %+v; want the known ones", r)
	}
	orders := app.Live("orders_index", `{"query":{"customerId":1}}`)
	before := list(t, orders.Value()).Total
	if r := agent.Call("orders_store", `{"input":{"customerId":1,"item":"Lamp","quantity":2,"priceCents":8900}}`); r.IsError {
		t.Fatal(r.Text)
	}
	l := list(t, orders.Next())
	if l.Total != before+1 || l.Items[0].Status != "open" || l.Items[0].Customer == "" {
		t.Errorf("the customer's orders: %+v", l)
	}
	// Deleting the customer deletes the orders, and whoever watches them is told.
	app.CallOK("customers_destroy", `{"id":1}`, nil)
	if l := list(t, orders.Next()); l.Total != 0 {
		t.Errorf("%d orders of a deleted customer", l.Total)
	}
}
