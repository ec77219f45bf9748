// A batch: what lies between the two readings of the clock, and what is kept
// out of it.

package main

import (
	"fmt"
	"runtime"
)

// outcome is the result of one batch.
type outcome struct {
	count   uint64
	data    sink
	counted string
	ns      int64
	thread  threadDifference
	err     error
	path    string
}

func (o *outcome) String() string {
	counted := ""
	if o.counted != "" {
		counted = fmt.Sprintf(" %s=%d", o.counted, o.data.counted)
	}
	if o.data.gathers {
		counted += fmt.Sprintf(" largest=%d left=%d", o.data.largest, o.data.left)
	}
	return fmt.Sprintf("done ops=%d ns=%d bytes=%d digest=%d%s%s", o.count, o.ns, o.data.bytes, o.data.digest, counted, o.thread)
}

// perform runs one batch; heap is nil where its figures would cost too much.
func (s *session) perform(order batch, result *outcome, heap *heapFigures) {
	t := &s.timer
	first := s.performed[order.method]
	which, offsets := s.begin(first, order.preroll+order.count)
	loop := s.newLoop(order.method, which, &t.data)
	defer s.finish(order.method, &loop, result)
	defer recoverFault(&loop)

	if loop.err = loop.task.takeUp(); loop.err != nil {
		return
	}
	if order.preroll > 0 {
		if s.performPreroll(&loop, first, order.preroll, offsets); loop.err != nil {
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
		loop.performEach(t, offsets, begin)
	} else {
		loop.perform(order.count, offsets)
	}
	end := t.nowNs()
	if t.marks {
		mark(markEnd)
	}
	t.after.read()
	if heap != nil {
		runtime.ReadMemStats(&heap.after)
	}
	result.count, result.ns = order.count, end-begin
	result.data, result.counted = t.data, s.plan.operation.counts()
	result.thread = t.after.since(&t.before)
}

// performPreroll runs the untimed operations before a batch, for a staged task
// as a batch of their own.
func (s *session) performPreroll(loop *loop, first, count uint64, offsets []int64) {
	if loop.staged != nil {
		defer loop.strike()
		if loop.err = loop.staged.stage(first, count); loop.err != nil {
			return
		}
	}
	loop.perform(count, offsets)
}

// performUntimed runs operation number 0 for `verify`, whatever was performed
// before; it does not count.
func (s *session) performUntimed(method int, data *sink, result *outcome) {
	which, offsets := s.begin(0, 1)
	loop := s.newLoop(method, which, data)
	defer s.fail(&loop, result)
	defer recoverFault(&loop)
	if loop.err = loop.task.takeUp(); loop.err != nil {
		return
	}
	if loop.staged == nil {
		loop.perform(1, offsets)
		return
	}
	// What counts is not what was written but what stands there now.
	loop.data = &sink{}
	if s.performPreroll(&loop, 0, 1, offsets); loop.err == nil {
		loop.err = loop.staged.readBack(data)
	}
}

func (s *session) newLoop(method, which int, data *sink) loop {
	l := loop{task: s.tasks[method], paths: s.plan.turns(), which: which, data: data}
	l.staged, _ = l.task.(stagedTask)
	return l
}

// begin finds the path of operation number first, and the offsets of count
// operations from it.
func (s *session) begin(first, count uint64) (which int, offsets []int64) {
	if s.plan.operation.hasOffsets() {
		offsets = s.timer.offsets[:count]
		for i := range offsets {
			offsets[i] = s.plan.offset(first + uint64(i))
		}
	}
	return int(first % uint64(s.plan.turns())), offsets
}

// finish keeps the number of operations performed, and the failure, if any.
func (s *session) finish(method int, loop *loop, result *outcome) {
	s.performed[method] += loop.done
	s.fail(loop, result)
}

// fail names the path of a failure.
func (s *session) fail(loop *loop, result *outcome) {
	if loop.err != nil {
		result.err = loop.err
		result.path = failedPath(loop.err, s.plan.paths, loop.which)
	}
}

// reserveOffsets makes room for the offsets of the longest of the batches.
func (s *session) reserveOffsets(batches ...batch) {
	if !s.plan.operation.hasOffsets() {
		return
	}
	longest := uint64(0)
	for _, b := range batches {
		longest = max(longest, b.count+b.preroll)
	}
	if uint64(cap(s.timer.offsets)) < longest {
		s.timer.offsets = make([]int64, longest)
	}
}
