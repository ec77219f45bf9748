// The clock, and the figures beside the time: the thread's from the kernel, the
// runtime's from the runtime. These are read outside the clock.

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// maxLatencies bounds the memory for operations' own times to 1 GiB.
const maxLatencies = 1 << 27

// timer holds what batches need, allocated before the clock starts.
type timer struct {
	marks     bool
	started   time.Time
	offsets   []int64
	latencies []int64
	// last is the reading of the clock that the next operation's time begins with.
	last          int64
	data          sink
	before, after threadFigures
}

func newTimer(p *plan) timer {
	// Operations that do not stay on one thread are the process's.
	who := threadFigures{process: p.threads > 1 || p.unlocked}
	return timer{marks: p.marks, started: time.Now(), before: who, after: who}
}

// nowNs reads CLOCK_MONOTONIC, and only it: time.Now would read the wall clock too.
func (t *timer) nowNs() int64 { return int64(time.Since(t.started)) }

func (t *timer) appendLatencies(file *os.File) error {
	encoded := make([]byte, 0, 8*len(t.latencies))
	for _, ns := range t.latencies {
		encoded = binary.LittleEndian.AppendUint64(encoded, uint64(ns))
	}
	_, err := file.Write(encoded)
	return err
}

const clockProcessCPU, clockThreadCPU = 2, 3

// threadFigures are what the kernel counted for the operation's thread, or for
// the process where there are several. Both calls take well below a microsecond.
type threadFigures struct {
	process bool
	cpu     syscall.Timespec
	usage   syscall.Rusage
}

func (t *threadFigures) read() {
	who, clock := syscall.RUSAGE_THREAD, uintptr(clockThreadCPU)
	if t.process {
		who, clock = syscall.RUSAGE_SELF, clockProcessCPU
	}
	// Neither call can fail with these arguments on a kernel that runs Go.
	_ = syscall.Getrusage(who, &t.usage)
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t.cpu)), 0)
}

func (t *threadFigures) since(before *threadFigures) threadDifference {
	return threadDifference{
		cpuNs:  t.cpu.Nano() - before.cpu.Nano(),
		nivcsw: t.usage.Nivcsw - before.usage.Nivcsw,
		minflt: t.usage.Minflt - before.usage.Minflt,
		majflt: t.usage.Majflt - before.usage.Majflt,
	}
}

type threadDifference struct{ cpuNs, nivcsw, minflt, majflt int64 }

func (d threadDifference) String() string {
	return fmt.Sprintf(" cpu_ns=%d nivcsw=%d minflt=%d majflt=%d", d.cpuNs, d.nivcsw, d.minflt, d.majflt)
}

// heapFigures come from ReadMemStats, which stops the world and flushes the
// allocator's caches. The cheaper runtime/metrics sees small objects only when a
// span of them is used up, so its counts of a short batch are wrong.
type heapFigures struct{ before, after runtime.MemStats }

func (h *heapFigures) String() string {
	return fmt.Sprintf(" allocs=%d alloc_bytes=%d gc_count=%d gc_ns=%d",
		h.after.Mallocs-h.before.Mallocs, h.after.TotalAlloc-h.before.TotalAlloc,
		h.after.NumGC-h.before.NumGC, h.after.PauseTotalNs-h.before.PauseTotalNs)
}

// The names that marks call, by which a tracer sees the clock's region. They are
// made beforehand: syscall.Access would allocate between the readings of the
// allocation counters.
var (
	markBegin, _ = syscall.BytePtrFromString("/fathom-mark/begin")
	markEnd, _   = syscall.BytePtrFromString("/fathom-mark/end")
)

const atWorkingDirectory = -100

// mark names a path to the kernel; the call fails with ENOENT, as it should.
func mark(name *byte) {
	directory := atWorkingDirectory
	syscall.RawSyscall(syscall.SYS_FACCESSAT, uintptr(directory), uintptr(unsafe.Pointer(name)), 0)
}
