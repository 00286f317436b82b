// Package orders holds the commands about orders. Its types are what windows and agents see.
package orders

import "time"

// Status is how far an order has come.
type Status string

const (
	Open      Status = "open"
	Paid      Status = "paid"
	Shipped   Status = "shipped"
	Cancelled Status = "cancelled"
)

// Order is something that a customer buys.
type Order struct {
	ID         int64 `json:"id"`
	CustomerID int64 `json:"customerId"`
	// Customer is the name of the customer.
	Customer string `json:"customer"`
	Item     string `json:"item"`
	Quantity int    `json:"quantity"`
	// PriceCents is the price of one item in cents.
	PriceCents int64     `json:"priceCents"`
	Status     Status    `json:"status"`
	CreatedAt  time.Time `json:"createdAt"`
}

// OrderInput is what can be said about an order.
type OrderInput struct {
	// CustomerID is the id of the customer who buys.
	CustomerID int64 `json:"customerId" validate:"required,min=1"`
	// Item is what is bought.
	Item string `json:"item" validate:"required,max=200"`
	// Quantity is how many.
	Quantity int `json:"quantity" validate:"min=1,max=10000"`
	// PriceCents is the price of one item in cents.
	PriceCents int64 `json:"priceCents" validate:"min=0"`
	// Status of the order. Default: open.
	Status Status `json:"status,omitempty"`
}

// OrderQuery chooses a page of the list.
type OrderQuery struct {
	// CustomerID limits the list to one customer's orders.
	CustomerID int64 `json:"customerId,omitempty" validate:"min=0"`
	// Status limits the list to orders in this state.
	Status Status `json:"status,omitempty"`
	// Page is the page's number. Default: 1.
	Page int `json:"page,omitempty" validate:"min=0,max=100000"`
	// PerPage is how many orders a page has. Default: 25.
	PerPage int `json:"perPage,omitempty" validate:"min=0,max=100"`
}
