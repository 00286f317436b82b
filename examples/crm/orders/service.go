package orders

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

const columns = `orders.id, customer_id, customers.name, item, quantity, price_cents, status, orders.created_at`

const (
	from     = ` FROM orders JOIN customers ON customers.id = orders.customer_id `
	matching = ` WHERE ($1 = 0 OR customer_id = $1) AND ($2 = '' OR status = $2) `
)

// Index lists orders, newest first, of all customers or of one.
//
//elyra:command can=orders.view live
func (s *Service) Index(ctx context.Context, query *OrderQuery) (elyra.Page[Order], error) {
	page := elyra.Page[Order]{Items: []Order{}, Page: 1, PerPage: 25}
	var q OrderQuery
	if query != nil {
		q = *query
		page.Page = max(q.Page, 1)
		if q.PerPage > 0 {
			page.PerPage = q.PerPage
		}
	}
	if err := s.DB.QueryRowContext(ctx, `SELECT count(*)`+from+matching, q.CustomerID, q.Status).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count orders: %w", err)
	}
	rows, err := s.DB.QueryContext(ctx, `SELECT `+columns+from+matching+`ORDER BY orders.id DESC LIMIT $3 OFFSET $4`,
		q.CustomerID, q.Status, page.PerPage, (page.Page-1)*page.PerPage)
	if err != nil {
		return page, fmt.Errorf("list orders: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		o, err := scan(rows)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, o)
	}
	return page, rows.Err()
}

// Show returns one order.
//
//elyra:command can=orders.view live
func (s *Service) Show(ctx context.Context, id int64) (Order, error) {
	return s.find(ctx, id)
}

// Store adds an order for a customer. Use customers_index to find the customer's id.
//
//elyra:command can=orders.create additive
func (s *Service) Store(ctx context.Context, input OrderInput) (Order, error) {
	var id int64
	err := s.DB.QueryRowContext(ctx, `INSERT INTO orders (customer_id, item, quantity, price_cents, status) VALUES ($1, $2, $3, $4, coalesce(nullif($5, ''), 'open')) RETURNING id`,
		input.CustomerID, input.Item, input.Quantity, input.PriceCents, input.Status).Scan(&id)
	if err != nil {
		return Order{}, explain(err, "add the order")
	}
	return s.find(ctx, id)
}

// Update changes an order. A status that is left out stays as it is.
//
//elyra:command can=orders.update idempotent
func (s *Service) Update(ctx context.Context, id int64, input OrderInput) (Order, error) {
	if _, err := s.DB.ExecContext(ctx, `UPDATE orders SET customer_id = $2, item = $3, quantity = $4, price_cents = $5, status = coalesce(nullif($6, ''), status) WHERE id = $1`,
		id, input.CustomerID, input.Item, input.Quantity, input.PriceCents, input.Status); err != nil {
		return Order{}, explain(err, "change the order")
	}
	return s.find(ctx, id)
}

// Destroy deletes an order.
//
//elyra:command can=orders.delete
func (s *Service) Destroy(ctx context.Context, id int64) error {
	result, err := s.DB.ExecContext(ctx, `DELETE FROM orders WHERE id = $1`, id)
	if err != nil {
		return elyra.Private(fmt.Errorf("delete order %d: %w", id, err))
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return notFound(id)
	}
	return nil
}

func (s *Service) find(ctx context.Context, id int64) (Order, error) {
	o, err := scan(s.DB.QueryRowContext(ctx, `SELECT `+columns+from+`WHERE orders.id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return o, notFound(id)
	}
	return o, err
}

func scan(row interface{ Scan(...any) error }) (o Order, err error) {
	err = row.Scan(&o.ID, &o.CustomerID, &o.Customer, &o.Item, &o.Quantity, &o.PriceCents, &o.Status, &o.CreatedAt)
	if err != nil {
		err = fmt.Errorf("read order: %w", err)
	}
	return o, err
}

func notFound(id int64) error {
	return fmt.Errorf("there is no order #%d: list orders to see which there are", id)
}

// explain turns an unknown customer into something that a form or a model can act on.
func explain(err error, doing string) error {
	if strings.Contains(strings.ToUpper(err.Error()), "FOREIGN KEY") {
		return elyra.ValidationError{"input.customerId": {"there is no such customer: list customers to see which there are"}}
	}
	return elyra.Private(fmt.Errorf("%s: %w", doing, err))
}
