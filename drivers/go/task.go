// Tasks: a method bound to the files of a run, ready to be repeated.

package main

import (
	"errors"
	"fmt"
)

// task performs one method over and over. The loop calls perform once per
// operation with the number of the path and, for read-block, the offset.
type task interface {
	perform(which int, offset int64, out *sink) error
	// takeUp opens what the task keeps between operations, unless it is open.
	takeUp() error
	// release closes it.
	release() error
}

// stagedTask is a task whose batches are more than a loop: they have a directory
// of their own, perhaps several passes, and an end inside the clock.
type stagedTask interface {
	task
	// stage makes a batch's directory and what stands in it, before the clock.
	// first is the number of the batch's first operation.
	stage(first, count uint64) error
	// nextPass readies another pass over the same operations, while there is one.
	nextPass() bool
	// conclude is what the clock covers after the last operation.
	conclude() error
	// strike closes what is open, after the clock.
	strike() error
	// readBack delivers what operation 0 wrote.
	readBack(out *sink) error
}

// plain is for tasks that hold nothing between operations.
type plain struct{}

func (plain) takeUp() error  { return nil }
func (plain) release() error { return nil }

// newTask says why not where the method cannot do what the plan asks.
func newTask(p *plan, m method) (task, error) {
	switch {
	case m.Unavailable != "":
		return nil, errors.New(m.Unavailable)
	case p.threads > 1 && p.operation != search && p.operation != nothing:
		return nil, fmt.Errorf("it performs %s with 1 thread", p.operation)
	case p.queueDepth > 1:
		return nil, errors.New("it has 1 read in flight")
	case p.buffer == "stack" && m.Name != "null" && p.operation != openReadClose:
		return nil, fmt.Errorf("its %s has no form with a buffer on the stack", p.operation)
	}
	return m.ways[p.operation](p)
}

// opens is a way of open-close, open-missing and open-write-close.
func opens(run func(path string) error) way {
	return func(p *plan) (task, error) { return &openTask{paths: p.paths, run: run}, nil }
}

type openTask struct {
	plain
	paths []string
	run   func(path string) error
}

func (t *openTask) perform(which int, _ int64, _ *sink) error { return t.run(t.paths[which]) }

// eachPath is a way of operations on a path that delivers by itself.
func eachPath(run func(path string, out *sink) error) way {
	return func(p *plan) (task, error) { return &pathTask{paths: p.paths, run: run}, nil }
}

type pathTask struct {
	plain
	paths []string
	run   func(path string, out *sink) error
}

func (t *pathTask) perform(which int, _ int64, out *sink) error { return t.run(t.paths[which], out) }

// reader reads what is at a path, where it needs a buffer into one of these.
type reader func(path string, buffers *buffers, out *sink) error

// reads is a way of read-whole.
func reads(run reader) way {
	return func(p *plan) (task, error) {
		return &readTask{paths: p.paths, buffers: newBuffers(p.block, p.buffer == "fresh"), run: run}, nil
	}
}

// readTask performs open-read-close and read-whole.
type readTask struct {
	plain
	paths   []string
	buffers *buffers
	run     reader
}

func (t *readTask) perform(which int, _ int64, out *sink) error {
	return t.run(t.paths[which], t.buffers, out)
}
