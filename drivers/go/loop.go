// The loop over operations: the only code, besides the methods, that runs
// while the clock does.

package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// loop repeats one task over the paths in turn.
type loop struct {
	task task
	// staged is the task again where it is one, else nil.
	staged stagedTask
	data   *sink
	paths  int
	// which is the path of the next operation, or of the one that failed.
	which int
	done  uint64
	err   error
}

// perform performs the operations of a batch: for a staged task pass after pass,
// and its end.
func (l *loop) perform(count uint64, offsets []int64) {
	first := l.which
	l.run(count, offsets)
	for done := l.done; l.staged != nil && l.err == nil; l.done = done {
		if !l.staged.nextPass() {
			l.err = l.staged.conclude()
			return
		}
		l.which = first
		l.run(count, offsets)
	}
}

// performEach is perform with the time of every operation: over all passes.
func (l *loop) performEach(t *timer, offsets []int64, last int64) {
	first := l.which
	last = l.runEach(t, offsets, last)
	for done := l.done; l.staged != nil && l.err == nil; l.done = done {
		if !l.staged.nextPass() {
			l.err = l.staged.conclude()
			return
		}
		l.which = first
		last = l.runEach(t, offsets, last)
	}
}

// run performs count operations; offsets is nil where they have none.
func (l *loop) run(count uint64, offsets []int64) {
	for i := uint64(0); i < count; i++ {
		var offset int64
		if offsets != nil {
			offset = offsets[i]
		}
		if !l.step(offset) {
			return
		}
	}
}

// runEach is run with a reading of the clock after every operation; it returns
// the last.
func (l *loop) runEach(t *timer, offsets []int64, last int64) int64 {
	for i := range t.latencies {
		var offset int64
		if offsets != nil {
			offset = offsets[i]
		}
		if !l.step(offset) {
			break
		}
		now := t.nowNs()
		t.latencies[i] += now - last
		last = now
	}
	return last
}

func (l *loop) step(offset int64) bool {
	l.data.begin()
	l.done++
	if l.err = l.task.perform(l.which, offset, l.data); l.err != nil {
		return false
	}
	if l.which++; l.which == l.paths {
		l.which = 0
	}
	return true
}

// strike closes what a batch left open; its failure counts like an operation's.
func (l *loop) strike() {
	if err := l.staged.strike(); l.err == nil {
		l.err = err
	}
}

// recoverFault makes an error of the signal that a mapped file sends when it
// is shorter than its mapping.
func recoverFault(l *loop) {
	fault := recover()
	if fault == nil {
		return
	}
	if _, atAddress := fault.(interface{ Addr() uintptr }); !atAddress {
		panic(fault)
	}
	l.err = &os.PathError{Op: "mmap", Err: syscall.EFAULT}
}

// failedPath is the path an error names, else that of the failed operation.
func failedPath(err error, paths []string, which int) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) && pathError.Path != "" {
		return pathError.Path
	}
	if which < len(paths) {
		return paths[which]
	}
	return ""
}
