// Allocations without a file: what the scenario `allocations` asks of this
// runtime. `driver allocate FORM SIZE COUNT` performs COUNT iterations and
// prints on one line, as JSON, what the allocator and the collector say of them.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strconv"
	"unsafe"
)

// heapPage is the size of the heap's own pages, of which spans are made.
const heapPage = 8 << 10

// tinyObjects counts what the tiny allocator served.
const tinyObjects = "/gc/heap/tiny/allocs:objects"

// kept makes what is stored in it escape.
var kept []byte

// keptObjects are alive until they were looked at.
var keptObjects []unsafe.Pointer

// allocationForms are the ways to come by a buffer for each iteration.
var allocationForms = map[string]func(size, count int){
	"one-buffer": oneBuffer,
	"each":       bufferEach,
	"escaping":   bufferEscaping,
	"kept":       bufferKept,
}

// allocated is the answer.
type allocated struct {
	Iterations  int      `json:"iterations"`
	Allocations uint64   `json:"allocations"`
	Tiny        uint64   `json:"tiny"`
	Bytes       uint64   `json:"bytes"`
	HeapBytes   uint64   `json:"heap_bytes"`
	Collections uint32   `json:"collections"`
	PausesNs    []uint64 `json:"pauses_ns"`
	// Pages is on how many of the heap's pages the kept objects lie.
	Pages int `json:"pages"`
}

func allocate(args []string, out io.Writer) error {
	if len(args) != 3 {
		return errors.New("usage: driver allocate FORM SIZE COUNT")
	}
	form, known := allocationForms[args[0]]
	size, sizeError := strconv.Atoi(args[1])
	count, countError := strconv.Atoi(args[2])
	if !known || sizeError != nil || countError != nil || size < 1 || count < 1 {
		return fmt.Errorf("no form %q, size %q, count %q", args[0], args[1], args[2])
	}
	if args[0] == "kept" {
		keptObjects = make([]unsafe.Pointer, 0, count)
	}
	// As testing.B does.
	runtime.GC()
	var before, after runtime.MemStats
	tiny := []metrics.Sample{{Name: tinyObjects}}
	// ReadMemStats flushes the allocator's caches, without which the metric lags.
	runtime.ReadMemStats(&before)
	metrics.Read(tiny)
	tinyBefore := tiny[0].Value.Uint64()
	runtime.ReadMemStats(&before)
	form(size, count)
	runtime.ReadMemStats(&after)
	metrics.Read(tiny)
	answer := allocated{
		Iterations:  count,
		Allocations: after.Mallocs - before.Mallocs,
		Tiny:        tiny[0].Value.Uint64() - tinyBefore,
		Bytes:       after.TotalAlloc - before.TotalAlloc,
		HeapBytes:   after.HeapAlloc,
		Collections: after.NumGC - before.NumGC,
		PausesNs:    pausesOf(&after, after.NumGC-before.NumGC),
		Pages:       pagesOfKept(),
	}
	return json.NewEncoder(out).Encode(answer)
}

// pausesOf are the last pauses, at most as many as the runtime keeps.
func pausesOf(stats *runtime.MemStats, collections uint32) []uint64 {
	pauses := []uint64{}
	for i := uint32(0); i < min(collections, uint32(len(stats.PauseNs))); i++ {
		pauses = append(pauses, stats.PauseNs[(stats.NumGC-1-i)%uint32(len(stats.PauseNs))])
	}
	return pauses
}

func pagesOfKept() int {
	pages := map[uintptr]bool{}
	for _, object := range keptObjects {
		pages[uintptr(object)/heapPage] = true
	}
	return len(pages)
}

// oneBuffer makes one buffer and copies a byte into it again and again.
//
//go:noinline
func oneBuffer(size, count int) {
	buffer := make([]byte, size)
	for range count {
		copy(buffer, []byte("y"))
	}
}

// bufferEach makes a buffer that does not leave the loop. Since its size is not
// a constant, it is made on the heap all the same.
//
//go:noinline
func bufferEach(size, count int) {
	for range count {
		buffer := make([]byte, size)
		copy(buffer, []byte("y"))
	}
}

// bufferEscaping makes a buffer that the loop's caller can see.
//
//go:noinline
func bufferEscaping(size, count int) {
	for range count {
		kept = make([]byte, size)
		copy(kept, []byte("y"))
	}
}

// bufferKept makes objects that all stay alive.
//
//go:noinline
func bufferKept(size, count int) {
	for range count {
		keptObjects = append(keptObjects, unsafe.Pointer(unsafe.SliceData(make([]byte, size))))
	}
}
