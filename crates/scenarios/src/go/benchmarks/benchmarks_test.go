// Two benchmarks that say at the end what became of them.
package benchmarks

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// What the tool made of its flags.
type report struct {
	Whole   []int  `json:"whole"`
	Pieces  []int  `json:"pieces"`
	Forced  uint32 `json:"forced"`
	Own     uint32 `json:"own"`
	Threads int    `json:"threads"`
}

var (
	all     report
	threads = map[int]bool{}
	garbage []byte
)

func BenchmarkReadFile(b *testing.B) {
	all.Whole = append(all.Whole, b.N)
	work(b)
}

func BenchmarkOpenReadAll(b *testing.B) {
	all.Pieces = append(all.Pieces, b.N)
	work(b)
}

// work allocates and waits, so that the collector and the scheduler have something to do.
func work(b *testing.B) {
	for range b.N {
		garbage = make([]byte, 256<<10)
		time.Sleep(10 * time.Microsecond)
		threads[syscall.Gettid()] = true
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	all.Forced, all.Own, all.Threads = stats.NumForcedGC, stats.NumGC-stats.NumForcedGC, len(threads)
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\nreport %s\n", text)
	os.Exit(code)
}
