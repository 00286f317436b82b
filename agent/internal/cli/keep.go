package cli

import (
	"os/exec"

	"github.com/elyra-go/elyra/agent/internal/keeper"
)

// keepCommand is the process that ends the servers of an elyra that was killed.
type keepCommand struct{}

func (*keepCommand) Run(r *run) error {
	keeper.Run(r.Stdin)
	return nil
}

// keeper starts this program as the keeper of its processes.
func (r *run) keeper() *keeper.Keeper {
	if r.Executable == "" {
		return &keeper.Keeper{}
	}
	return keeper.New(func() *exec.Cmd {
		cmd := exec.Command(r.Executable, "keep-processes")
		cmd.Env, cmd.Dir = r.Environ, "/"
		return cmd
	})
}
