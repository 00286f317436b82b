package customers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra"
)

//go:generate go run github.com/elyra-go/elyra/rata generate

// Service runs the commands.
type Service struct {
	// DB is the app's database.
	DB *sql.DB
}

const columns = `id, name, email, company, phone, notes, created_at,
	(SELECT count(*) FROM orders WHERE orders.customer_id = customers.id)`

// matching is the condition of a search; $1 is the pattern, or the empty string.
const matching = `($1 = '' OR lower(name) LIKE $1 ESCAPE '\' OR lower(email) LIKE $1 ESCAPE '\' OR lower(company) LIKE $1 ESCAPE '\')`

// Index lists customers, newest first. Use it to find a customer's id by name, email or company.
//
//elyra:command can=customers.view live
func (s *Service) Index(ctx context.Context, query *CustomerQuery) (elyra.Page[Customer], error) {
	page := elyra.Page[Customer]{Items: []Customer{}, Page: 1, PerPage: 25}
	pattern := ""
	if query != nil {
		page.Page, page.PerPage = max(query.Page, 1), query.PerPage
		if page.PerPage == 0 {
			page.PerPage = 25
		}
		if query.Search != "" {
			pattern = "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(query.Search)) + "%"
		}
	}
	if err := s.DB.QueryRowContext(ctx, `SELECT count(*) FROM customers WHERE `+matching, pattern).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count customers: %w", err)
	}
	rows, err := s.DB.QueryContext(ctx, `SELECT `+columns+` FROM customers WHERE `+matching+` ORDER BY id DESC LIMIT $2 OFFSET $3`,
		pattern, page.PerPage, (page.Page-1)*page.PerPage)
	if err != nil {
		return page, fmt.Errorf("list customers: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		c, err := scan(rows)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, c)
	}
	return page, rows.Err()
}

// Show returns one customer.
//
//elyra:command can=customers.view live
func (s *Service) Show(ctx context.Context, id int64) (Customer, error) {
	return s.find(ctx, id)
}

// Store adds a customer. Use it when the user names a person or a company that is not in the list yet.
//
//elyra:command can=customers.create additive
func (s *Service) Store(ctx context.Context, input CustomerInput) (Customer, error) {
	var id int64
	err := s.DB.QueryRowContext(ctx, `INSERT INTO customers (name, email, company, phone, notes) VALUES ($1, $2, coalesce($3, ''), coalesce($4, ''), coalesce($5, '')) RETURNING id`,
		input.Name, input.Email, input.Company, input.Phone, input.Notes).Scan(&id)
	if err != nil {
		return Customer{}, explain(err, "add the customer")
	}
	return s.find(ctx, id)
}

// Update changes what is known about a customer. What is left out stays as it is.
//
//elyra:command can=customers.update idempotent
func (s *Service) Update(ctx context.Context, id int64, input CustomerInput) (Customer, error) {
	if _, err := s.DB.ExecContext(ctx, `UPDATE customers SET name = $2, email = $3,
		company = coalesce($4, company), phone = coalesce($5, phone), notes = coalesce($6, notes) WHERE id = $1`, id, input.Name, input.Email, input.Company, input.Phone, input.Notes); err != nil {
		return Customer{}, explain(err, "change the customer")
	}
	return s.find(ctx, id)
}

// Destroy deletes a customer and its orders.
//
//elyra:command can=customers.delete
func (s *Service) Destroy(ctx context.Context, id int64) error {
	result, err := s.DB.ExecContext(ctx, `DELETE FROM customers WHERE id = $1`, id)
	if err != nil {
		return elyra.Private(fmt.Errorf("delete customer %d: %w", id, err))
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return notFound(id)
	}
	return nil
}

func (s *Service) find(ctx context.Context, id int64) (Customer, error) {
	c, err := scan(s.DB.QueryRowContext(ctx, `SELECT `+columns+` FROM customers WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return c, notFound(id)
	}
	return c, err
}

func scan(row interface{ Scan(...any) error }) (c Customer, err error) {
	err = row.Scan(&c.ID, &c.Name, &c.Email, &c.Company, &c.Phone, &c.Notes, &c.CreatedAt, &c.Orders)
	if err != nil {
		err = fmt.Errorf("read customer: %w", err)
	}
	return c, err
}

func notFound(id int64) error {
	return fmt.Errorf("there is no customer #%d: list customers to see which there are", id)
}

// explain turns a refused email address into something that a form or a model can act on.
func explain(err error, doing string) error {
	if strings.Contains(err.Error(), "UNIQUE") || strings.Contains(err.Error(), "unique") {
		return elyra.ValidationError{"input.email": {"belongs to another customer already"}}
	}
	return elyra.Private(fmt.Errorf("%s: %w", doing, err))
}
