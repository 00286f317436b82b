-- +goose Up
-- The data of a fresh CRM: every first name with every last name, and one to three orders for most.
WITH
    first (n, name) AS (VALUES
        (0, 'Ada'), (1, 'Alan'), (2, 'Barbara'), (3, 'Claude'), (4, 'Donald'), (5, 'Edsger'),
        (6, 'Frances'), (7, 'Grace'), (8, 'Hedy'), (9, 'Ivan'), (10, 'Jean'), (11, 'Karen'),
        (12, 'Leslie'), (13, 'Margaret'), (14, 'Niklaus'), (15, 'Radia'), (16, 'Sophie'), (17, 'Tony')),
    last (n, name, company) AS (VALUES
        (0, 'Almeida', 'Northwind Optics'), (1, 'Bergström', 'Fjord Shipping'), (2, 'Costa', 'Porto Ceramics'),
        (3, 'Dubois', 'Atelier Dubois'), (4, 'Eriksen', 'Nordlys Energy'), (5, 'Ferrari', 'Lagoon Glass'),
        (6, 'García', 'Sol y Sombra'), (7, 'Haddad', 'Cedar Textiles'), (8, 'Ivanova', 'Volga Bearings'),
        (9, 'Jansen', 'Polder Flowers'), (10, 'Kimura', 'Kimura Instruments'), (11, 'Lindqvist', ''),
        (12, 'Moreau', ''), (13, 'Novak', 'Bohemia Crystal'), (14, 'Okafor', 'Lagos Logistics'),
        (15, 'Petrov', ''), (16, 'Quinn', 'Shannon Software'), (17, 'Rossi', 'Officine Rossi'))
INSERT INTO customers (name, email, company, phone, created_at)
SELECT first.name || ' ' || last.name,
       lower(first.name) || '.' || replace(replace(lower(last.name), 'ö', 'o'), 'í', 'i') || '@example.com',
       last.company,
       '+49 30 555 ' || lpad((first.n * 18 + last.n)::text, 4, '0'),
       timestamptz '2026-01-01 00:00Z' + (first.n * 18 + last.n) * 20 * interval '1 hour'
FROM first, last
ORDER BY first.n * 7 + last.n * 5, first.n;

WITH
    nth (n) AS (VALUES (0), (1), (2)),
    item (n, name, cents) AS (VALUES
        (0, 'Desk lamp', 8900), (1, 'Notebook, ruled', 1250), (2, 'Standing desk', 54900), (3, 'Coffee beans, 1 kg', 2400),
        (4, 'Monitor arm', 11900), (5, 'Fountain pen', 6800), (6, 'Office chair', 38900))
INSERT INTO orders (customer_id, item, quantity, price_cents, status, created_at)
SELECT customers.id, item.name, 1 + (customers.id + nth.n) % 4, item.cents,
       CASE (customers.id + nth.n) % 5 WHEN 0 THEN 'open' WHEN 1 THEN 'paid' WHEN 4 THEN 'cancelled' ELSE 'shipped' END,
       customers.created_at + (3 + nth.n * 11) * interval '1 day'
FROM customers
JOIN nth ON nth.n < customers.id % 4
JOIN item ON item.n = (customers.id * 3 + nth.n * 2) % 7
ORDER BY customers.id, nth.n;

-- +goose Down
DELETE FROM orders;
DELETE FROM customers;
