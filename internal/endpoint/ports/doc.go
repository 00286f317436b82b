// Package ports says on which TCP ports a process listens, for tests that the endpoint and the windows open none.
//
// It reads what the kernel shows of the process, not what the process says, and therefore works on Linux alone. Only
// tests may import it, and it imports nothing of this module.
package ports
