package mcpserver

// The goroutines of a connection's calls rest in between instead of ending, because their stacks have
// grown to what a call needs: growing a fresh one each time would be a tenth of the cost of a short call.
// As many rest as calls may be in flight.

// hand gives f, under c.mu, to a goroutine that rests, or else to a new one.
func (c *conn) hand(f *flight) {
	select {
	case c.next <- f:
		c.resting--
	default:
		c.running.Add(1)
		go c.work(f)
	}
}

// work runs one call after the other.
func (c *conn) work(f *flight) {
	defer c.running.Done()
	for f != nil {
		f.fly()
		f = c.rest()
	}
}

// rest waits for the next call, and returns nil when the goroutine is not needed any more.
func (c *conn) rest() *flight {
	c.mu.Lock()
	if c.closing || c.resting >= c.s.o.MaxInFlight {
		c.mu.Unlock()
		return nil
	}
	c.resting++
	c.mu.Unlock()
	select {
	case f := <-c.next:
		return f
	case <-c.reading.Done():
		return nil // nothing is accepted from now on, so nobody counts those who rest
	}
}
