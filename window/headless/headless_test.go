package headless_test

import (
	"testing"

	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/backendtest"
	"github.com/elyra-go/elyra/window/headless"
)

func TestBackend(t *testing.T) {
	t.Parallel()
	backendtest.Run(t, backendtest.Setup{
		New:  func() window.Backend { return headless.New(headless.Options{Page: backendtest.Page}) },
		Main: func(run func()) { run() },
	})
}
