package host

import (
	"errors"

	"github.com/elyra-go/elyra/agent/internal/oauth"
)

// loginNeeded reports whether an error says that the user has to log in first.
func loginNeeded(err error) bool {
	_, ok := errors.AsType[*oauth.ErrLoginNeeded](err)
	return ok
}
