// The clock, and the memory that a timed batch needs while it runs.

package main

import (
	"encoding/binary"
	"os"
	"time"
)

// maxLatencies bounds the memory for operations' own times to 1 GiB.
const maxLatencies = 1 << 27

// timer holds what batches need, allocated before the clock starts.
type timer struct {
	marks     bool
	started   time.Time
	offsets   []int64
	latencies []int64
	data      sink
	before    threadFigures
	after     threadFigures
}

func newTimer(p *plan) timer {
	// Operations that do not stay on one thread are the process's.
	who := threadFigures{process: p.threads > 1 || p.unlocked}
	return timer{marks: p.marks, started: time.Now(), before: who, after: who}
}

// nowNs reads CLOCK_MONOTONIC, and only it: time.Now would read the wall clock too.
func (t *timer) nowNs() int64 { return int64(time.Since(t.started)) }

// reserveLatencies makes room for the own times of a batch's operations.
func (t *timer) reserveLatencies(wanted bool, count uint64) {
	t.latencies = nil
	if wanted {
		t.latencies = make([]int64, count)
	}
}

func (t *timer) appendLatencies(file *os.File) error {
	encoded := make([]byte, 0, 8*len(t.latencies))
	for _, ns := range t.latencies {
		encoded = binary.LittleEndian.AppendUint64(encoded, uint64(ns))
	}
	_, err := file.Write(encoded)
	return err
}
