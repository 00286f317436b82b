// Command sdkcrm is the CRM of the examples as somebody would write it on the official Go SDK: the same
// tools over the same SQLite file, opened with the same driver. It is there to be started and to answer
// one call, so only customers_show works; the other tools are declared and refuse.
//
// Usage: sdkcrm FILE, where the file was made by the example app.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	_ "modernc.org/sqlite"
)

type customer struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name" jsonschema:"Name of the person or company."`
	Email     string    `json:"email" jsonschema:"Email is unique among customers."`
	Company   string    `json:"company"`
	Phone     string    `json:"phone"`
	Notes     string    `json:"notes"`
	Orders    int       `json:"orders" jsonschema:"Orders is how many orders the customer has placed."`
	CreatedAt time.Time `json:"createdAt"`
}

type customerInput struct {
	Name    string  `json:"name" jsonschema:"Name of the person or company."`
	Email   string  `json:"email" jsonschema:"Email address; no two customers share one."`
	Company *string `json:"company,omitempty" jsonschema:"Company the person works for."`
	Phone   *string `json:"phone,omitempty" jsonschema:"Phone number, in any form."`
	Notes   *string `json:"notes,omitempty" jsonschema:"Notes for colleagues."`
}

type order struct {
	ID         int64     `json:"id"`
	CustomerID int64     `json:"customerId"`
	Customer   string    `json:"customer" jsonschema:"Customer is the name of the customer."`
	Item       string    `json:"item"`
	Quantity   int       `json:"quantity"`
	PriceCents int64     `json:"priceCents" jsonschema:"PriceCents is the price of one item in cents."`
	Status     string    `json:"status"`
	CreatedAt  time.Time `json:"createdAt"`
}

type orderInput struct {
	CustomerID int64  `json:"customerId" jsonschema:"CustomerID is the id of the customer who buys."`
	Item       string `json:"item" jsonschema:"Item is what is bought."`
	Quantity   int    `json:"quantity" jsonschema:"Quantity is how many."`
	PriceCents int64  `json:"priceCents" jsonschema:"PriceCents is the price of one item in cents."`
	Status     string `json:"status,omitempty" jsonschema:"Status of the order. Default: open."`
}

type query struct {
	Search     string `json:"search,omitempty"`
	CustomerID int64  `json:"customerId,omitempty"`
	Page       int    `json:"page,omitempty"`
	PerPage    int    `json:"perPage,omitempty"`
}

type (
	id struct {
		ID int64 `json:"id"`
	}
	list struct {
		Query *query `json:"query,omitempty"`
	}
	page[T any] struct {
		Items   []T `json:"items"`
		Total   int `json:"total"`
		Page    int `json:"page"`
		PerPage int `json:"perPage"`
	}
	store[T any] struct {
		Input T `json:"input"`
	}
	update[T any] struct {
		ID    int64 `json:"id"`
		Input T     `json:"input"`
	}
	none struct{}
)

func main() {
	if err := serve(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context) error {
	if len(os.Args) != 2 {
		return errors.New("usage: sdkcrm FILE")
	}
	db, err := sql.Open("sqlite", os.Args[1])
	if err != nil {
		return err
	}
	defer db.Close()
	server := mcp.NewServer(&mcp.Implementation{Name: "dev.elyra.crm", Version: "devel"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "customers_show", Description: "Show returns one customer."},
		func(ctx context.Context, _ *mcp.CallToolRequest, in id) (*mcp.CallToolResult, customer, error) {
			c, err := show(ctx, db, in.ID)
			return nil, c, err
		})
	declare[list, page[customer]](server, "customers_index", "Index lists customers, newest first. Use it to find a customer's id by name, email or company.")
	declare[store[customerInput], customer](server, "customers_store", "Store adds a customer. Use it when the user names a person or a company that is not in the list yet.")
	declare[update[customerInput], customer](server, "customers_update", "Update changes what is known about a customer. What is left out stays as it is.")
	declare[id, none](server, "customers_destroy", "Destroy deletes a customer and its orders.")
	declare[list, page[order]](server, "orders_index", "Index lists orders, newest first, of all customers or of one.")
	declare[id, order](server, "orders_show", "Show returns one order.")
	declare[store[orderInput], order](server, "orders_store", "Store adds an order for a customer. Use customers_index to find the customer's id.")
	declare[update[orderInput], order](server, "orders_update", "Update changes an order. A status that is left out stays as it is.")
	declare[id, none](server, "orders_destroy", "Destroy deletes an order.")
	return server.Run(ctx, &mcp.StdioTransport{})
}

// declare adds a tool that refuses every call.
func declare[In, Out any](server *mcp.Server, name, description string) {
	mcp.AddTool(server, &mcp.Tool{Name: name, Description: description},
		func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, Out, error) {
			var nothing Out
			return nil, nothing, errors.New(name + " is not part of the measurement")
		})
}

func show(ctx context.Context, db *sql.DB, id int64) (customer, error) {
	var c customer
	row := db.QueryRowContext(ctx, `SELECT id, name, email, company, phone, notes, created_at,
		(SELECT count(*) FROM orders WHERE orders.customer_id = customers.id) FROM customers WHERE id = $1`, id)
	err := row.Scan(&c.ID, &c.Name, &c.Email, &c.Company, &c.Phone, &c.Notes, &c.CreatedAt, &c.Orders)
	return c, err
}
