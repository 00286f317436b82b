package cli

import (
	"sync"

	"github.com/elyra-go/elyra/agent/internal/config"
)

// atOnce is how many servers are asked at the same time.
const atOnce = 8

// each runs do for each server, some of them at the same time, and waits for all. The results are in the order of servers
// when do keeps them by index.
func each(servers []config.Server, do func(i int, c config.Server)) {
	var wg sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for i, c := range servers {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			do(i, c)
		})
	}
	wg.Wait()
}
