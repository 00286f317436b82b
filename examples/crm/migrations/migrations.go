// Package migrations holds the schema of the CRM's database and the data it starts with.
package migrations

import "embed"

// FS has a folder for each dialect.
//
//go:embed sqlite/*.sql postgres/*.sql
var FS embed.FS
