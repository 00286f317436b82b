package sqlite

import "context"

// pages names the tables that others changed.
type pages struct{}

func (*pages) changed(context.Context, *store) (tables []string, known bool) { return nil, false }
