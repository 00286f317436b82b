package oauth_test

import (
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/mcpclient/streamable"
)

// What the agent joins.
var (
	_ streamable.Authorizer = (*oauth.Session)(nil)
	_ oauth.Files           = (*home.Dir)(nil)
)
