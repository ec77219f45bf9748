// A batch: what lies between the two readings of the clock, and what is kept
// out of it.

package main

import (
	"fmt"
	"runtime"
)

// outcome is the result of one batch.
type outcome struct {
	count, bytes, digest uint64
	ns                   int64
	thread               threadDifference
	err                  error
	path                 string
}

func (o *outcome) String() string {
	return fmt.Sprintf("done ops=%d ns=%d bytes=%d digest=%d%s", o.count, o.ns, o.bytes, o.digest, o.thread)
}

// perform runs one batch; heap is nil where its figures would cost too much.
func (s *session) perform(order batch, result *outcome, heap *heapFigures) {
	t := &s.timer
	which, offsets := s.begin(s.performed[order.method], order.preroll+order.count)
	loop := loop{task: s.tasks[order.method], paths: max(1, len(s.plan.paths)), which: which, data: &t.data}
	defer s.finish(order.method, &loop, result)
	defer recoverFault(&loop)

	if loop.err = loop.task.takeUp(); loop.err != nil {
		return
	}
	if loop.run(order.preroll, offsets); loop.err != nil {
		return
	}
	if offsets != nil {
		offsets = offsets[order.preroll:]
	}
	t.data = sink{}
	if heap != nil {
		runtime.ReadMemStats(&heap.before)
	}
	t.before.read()
	if t.marks {
		mark(markBegin)
	}
	begin := t.nowNs()
	if t.latencies != nil {
		loop.runEach(t, offsets, begin)
	} else {
		loop.run(order.count, offsets)
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
	result.bytes, result.digest = t.data.bytes, t.data.digest
	result.thread = t.after.since(&t.before)
}

// performUntimed runs operation number 0 for `verify`, whatever was performed
// before; it does not count.
func (s *session) performUntimed(method int, data *sink, result *outcome) {
	which, offsets := s.begin(0, 1)
	loop := loop{task: s.tasks[method], paths: max(1, len(s.plan.paths)), which: which, data: data}
	defer s.fail(&loop, result)
	defer recoverFault(&loop)
	if loop.err = loop.task.takeUp(); loop.err == nil {
		loop.run(1, offsets)
	}
}

// begin finds the path of operation number first, and the offsets of count
// operations from it.
func (s *session) begin(first, count uint64) (which int, offsets []int64) {
	if s.plan.operation == readBlock {
		offsets = s.timer.offsets[:count]
		for i := range offsets {
			offsets[i] = s.plan.offset(first + uint64(i))
		}
	}
	return int(first % uint64(max(1, len(s.plan.paths)))), offsets
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
	if s.plan.operation != readBlock {
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
