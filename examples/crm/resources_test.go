package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/elyratest"
)

func TestAgentReadsAndWatchesResources(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			app := elyratest.New(t, build)
			agent := app.MCP(elyratest.Era(era))
			var uris []string
			for _, r := range append(agent.ListResources(), agent.ListTemplates()...) {
				uris = append(uris, r.URI)
			}
			want := []string{
				"app://customers_index", "app://orders_index",
				"app://customers_index{?page,perPage,search}", "app://customers_show/{id}", "app://orders_index{?customerId,page,perPage,status}", "app://orders_show/{id}",
			}
			if !slices.Equal(uris, want) {
				t.Errorf("the resources are %q; want %q", uris, want)
			}
			if l := list(t, agent.Read("app://customers_index").Text); l.Total != 324 || len(l.Items) != 25 {
				t.Errorf("app://customers_index: %d of %d customers; want 25 of 324", len(l.Items), l.Total)
			}
			if l := list(t, agent.Read("app://orders_index?status=open&perPage=1").Text); l.PerPage != 1 || len(l.Items) != 1 || l.Items[0].Status != "open" {
				t.Errorf("open orders: %+v", l)
			}
			if got := agent.Complete("app://orders_index{?customerId,page,perPage,status}", "status", "s"); !slices.Equal(got, []string{"shipped"}) {
				t.Errorf("a status that begins with s: %q", got)
			}
			if r := agent.Read("app://orders_index?status=lost&page=-1"); r.Code != -32602 || len(r.Errors["status"]) != 1 {
				t.Errorf("an unknown status: %+v", r)
			}
			if r := agent.Read("app://customers_show/999999"); r.Code != -32603 || !strings.Contains(r.Text, "there is no customer #999999") {
				t.Errorf("a customer who does not exist: %+v", r)
			}

			all, first, second := agent.Listen("app://customers_index"), agent.Listen("app://customers_show/1"), agent.Listen("app://customers_show/2")
			other := app.MCP(elyratest.Era(era), elyratest.Named("another"))
			if r := other.Call("customers_store", `{"input":{"name":"Ada","email":"ada@example.org"}}`); r.IsError {
				t.Fatal(r.Text)
			}
			if got := all.Next(); got != "app://customers_index" {
				t.Errorf("told of %s", got)
			}
			if l := list(t, agent.Read("app://customers_index").Text); l.Items[0].Name != "Ada" {
				t.Errorf("after that, the list begins with %q", l.Items[0].Name)
			}
			if r := other.Call("customers_update", `{"id":1,"input":{"name":"Changed","email":"changed@example.org"}}`); r.IsError {
				t.Fatal(r.Text)
			}
			first.Next()
			if r := agent.Read("app://customers_show/1"); !strings.Contains(r.Text, `"Changed"`) {
				t.Errorf("the changed customer is read as %s", r.Text)
			}
			first.QuietFor(50 * time.Millisecond)
			second.QuietFor(0) // not its customer
		})
	}
}
