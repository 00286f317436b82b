-- +goose Up
CREATE TABLE notes (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL,
    done BOOLEAN NOT NULL DEFAULT FALSE
);

-- +goose Down
DROP TABLE notes;
