// A batch: what lies between the two readings of the clock, and what is kept
// out of it.

package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// batch is one order to perform operations.
type batch struct{ method, count, preroll uint64 }

// outcome is the result of one batch.
type outcome struct {
	operation operation
	count     uint64
	data      sink
	ns        int64
	thread    threadDifference
}

func (o *outcome) String() string {
	counted := ""
	switch o.operation {
	case lines:
		counted = fmt.Sprintf(" lines=%d", o.data.counted)
	case search:
		counted = fmt.Sprintf(" matches=%d", o.data.counted)
	}
	if o.data.gathers {
		counted += fmt.Sprintf(" largest=%d left=%d", o.data.largest, o.data.left)
	}
	return fmt.Sprintf("done ops=%d ns=%d bytes=%d digest=%d%s%s", o.count, o.ns, o.data.bytes, o.data.digest, counted, o.thread)
}

// perform runs one batch; heap is nil where its figures would cost too much.
func (s *session) perform(order batch, result *outcome, heap *heapFigures) (err error) {
	t := &s.timer
	first := s.performed[order.method]
	loop, offsets := s.begin(order.method, first, order.preroll+order.count, &t.data)
	defer func() {
		s.performed[order.method] += loop.done
		err = s.failure(&loop)
	}()
	defer loop.recoverFault()

	if loop.err = loop.task.takeUp(); loop.err != nil {
		return
	}
	if order.preroll > 0 {
		if loop.performPreroll(first, order.preroll, offsets); loop.err != nil {
			return
		}
	}
	if offsets != nil {
		offsets = offsets[order.preroll:]
	}
	if loop.staged != nil {
		defer loop.strike()
		if loop.err = loop.staged.stage(first+order.preroll, order.count); loop.err != nil {
			return
		}
	}
	t.data = sink{}
	if s.plan.collectFirst {
		runtime.GC()
	}
	if heap != nil {
		runtime.ReadMemStats(&heap.before)
	}
	t.before.read()
	if t.marks {
		mark(markBegin)
	}
	begin := t.nowNs()
	if t.latencies != nil {
		t.last, loop.timer = begin, t
	}
	loop.perform(order.count, offsets)
	end := t.nowNs()
	if t.marks {
		mark(markEnd)
	}
	t.after.read()
	if heap != nil {
		runtime.ReadMemStats(&heap.after)
	}
	*result = outcome{s.plan.operation, order.count, t.data, end - begin, t.after.since(&t.before)}
	return
}

// performUntimed runs operation number 0 for `verify`, whatever was performed
// before; it does not count.
func (s *session) performUntimed(method uint64, data *sink) (err error) {
	loop, offsets := s.begin(method, 0, 1, data)
	defer func() { err = s.failure(&loop) }()
	defer loop.recoverFault()
	if loop.err = loop.task.takeUp(); loop.err != nil {
		return
	}
	if loop.staged != nil {
		// What counts is not what was written but what stands there now.
		loop.data = &sink{}
	}
	if loop.performPreroll(0, 1, offsets); loop.err == nil && loop.staged != nil {
		loop.err = loop.staged.readBack(data)
	}
	return
}

// begin makes a loop at operation number first, and the offsets of count operations
// from it.
func (s *session) begin(method, first, count uint64, data *sink) (l loop, offsets []int64) {
	if s.plan.operation.hasOffsets() {
		offsets = s.timer.offsets[:count]
		for i := range offsets {
			offsets[i] = s.plan.offset(first + uint64(i))
		}
	}
	turns := s.plan.turns()
	l = loop{task: s.tasks[method], paths: turns, which: int(first % uint64(turns)), data: data}
	l.staged, _ = l.task.(stagedTask)
	return l, offsets
}

// failure names the path of a loop's failure, if any.
func (s *session) failure(l *loop) error {
	if l.which < len(s.plan.paths) {
		return failure(l.err, s.plan.paths[l.which])
	}
	return failure(l.err, "")
}

// reserveOffsets makes room for the offsets of the longest of the batches.
func (s *session) reserveOffsets(batches ...batch) {
	longest := uint64(0)
	for _, b := range batches {
		longest = max(longest, b.count+b.preroll)
	}
	if s.plan.operation.hasOffsets() && uint64(cap(s.timer.offsets)) < longest {
		s.timer.offsets = make([]int64, longest)
	}
}

// loop repeats one task over the paths in turn: the only code, besides the methods,
// that runs while the clock does.
type loop struct {
	task task
	// staged is the task again where it is one, else nil.
	staged stagedTask
	data   *sink
	paths  int
	// which is the path of the next operation, or of the one that failed.
	which int
	done  uint64
	// timer takes each operation's own time; nil where it is not asked for.
	timer *timer
	err   error
}

// perform performs the operations of a batch: for a staged task pass after pass,
// and its end.
func (l *loop) perform(count uint64, offsets []int64) {
	first := l.which
	l.pass(count, offsets)
	for done := l.done; l.staged != nil && l.err == nil; l.done = done {
		if !l.staged.nextPass() {
			l.err = l.staged.conclude()
			return
		}
		l.which = first
		l.pass(count, offsets)
	}
}

// pass performs count operations; offsets is nil where they have none.
func (l *loop) pass(count uint64, offsets []int64) {
	if l.timer != nil {
		l.passEach(offsets)
		return
	}
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

// passEach is pass with a reading of the clock after every operation.
func (l *loop) passEach(offsets []int64) {
	t := l.timer
	for i := range t.latencies {
		var offset int64
		if offsets != nil {
			offset = offsets[i]
		}
		if !l.step(offset) {
			return
		}
		now := t.nowNs()
		t.latencies[i] += now - t.last
		t.last = now
	}
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

// performPreroll runs untimed operations, for a staged task as a batch of their own.
func (l *loop) performPreroll(first, count uint64, offsets []int64) {
	if l.staged != nil {
		defer l.strike()
		if l.err = l.staged.stage(first, count); l.err != nil {
			return
		}
	}
	l.perform(count, offsets)
}

// strike closes what a batch left open; its failure counts like an operation's.
func (l *loop) strike() {
	if err := l.staged.strike(); l.err == nil {
		l.err = err
	}
}

// recoverFault makes an error of the signal that a mapped file sends when it
// is shorter than its mapping.
func (l *loop) recoverFault() {
	fault := recover()
	if fault == nil {
		return
	}
	if _, atAddress := fault.(interface{ Addr() uintptr }); !atAddress {
		panic(fault)
	}
	l.err = &os.PathError{Op: "mmap", Err: syscall.EFAULT}
}
