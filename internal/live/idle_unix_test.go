//go:build unix

package live_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// BenchmarkIdle measures the processor time of 100 live queries while nothing happens, with a
// watch for other programs.
func BenchmarkIdle(b *testing.B) {
	db, r, _ := shared(b, sharedSchema)
	for i := range 100 {
		await(b, query(b, db, r, fmt.Sprint("select name from person where id = ", i)))
	}
	time.Sleep(time.Second)
	const seconds = 5
	before := processorTime(b)
	time.Sleep(seconds * time.Second)
	b.ReportMetric((processorTime(b)-before).Seconds()/seconds*100, "%cpu")
	b.ReportMetric(0, "ns/op")
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
