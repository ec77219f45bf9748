// Figures beside the time: the thread's from the kernel, the runtime's from
// the runtime. They are read outside the clock.

package main

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

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
