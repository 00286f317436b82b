// Package customers holds the commands about customers. Its types are what windows and agents see.
package customers

import "time"

// Customer is a person or company that buys.
type Customer struct {
	ID int64 `json:"id"`
	// Name of the person or company.
	Name string `json:"name"`
	// Email is unique among customers.
	Email   string `json:"email"`
	Company string `json:"company"`
	Phone   string `json:"phone"`
	Notes   string `json:"notes"`
	// Orders is how many orders the customer has placed.
	Orders    int       `json:"orders"`
	CreatedAt time.Time `json:"createdAt"`
}

// CustomerInput is what can be said about a customer.
type CustomerInput struct {
	// Name of the person or company.
	Name string `json:"name" validate:"required,max=120"`
	// Email address; no two customers share one.
	Email string `json:"email" validate:"required,email,max=200"`
	// Company the person works for.
	Company *string `json:"company,omitempty" validate:"omitempty,max=120"`
	// Phone number, in any form.
	Phone *string `json:"phone,omitempty" validate:"omitempty,max=40"`
	// Notes for colleagues.
	Notes *string `json:"notes,omitempty" validate:"omitempty,max=4000"`
}

// CustomerQuery chooses a page of the list.
type CustomerQuery struct {
	// Search is looked for in name, email and company.
	Search string `json:"search,omitempty" validate:"max=100"`
	// Page is the page's number. Default: 1.
	Page int `json:"page,omitempty" validate:"min=0,max=100000"`
	// PerPage is how many customers a page has. Default: 25.
	PerPage int `json:"perPage,omitempty" validate:"min=0,max=100"`
}
