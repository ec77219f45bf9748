// Tasks: a method bound to the files of a run, ready to be repeated. Every
// operation has one kind of task; `null` has its own.

package main

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

func newTask(p *plan, m method) task {
	if m.isNull {
		return newNullTask(p)
	}
	switch p.operation {
	case openClose:
		return &openTask{paths: p.paths, run: m.openClose}
	case openMissing:
		return &openTask{paths: p.paths, run: m.openMissing}
	case openWriteClose:
		return &openTask{paths: p.paths, run: m.openWriteClose}
	case openReadClose:
		// Never more than the file holds: File.ReadAt asks again after a short
		// read. Direct I/O needs the whole block whatever the file holds.
		length := min(p.block, p.size)
		if m.direct {
			length = p.block
		}
		if p.buffer == "stack" {
			return &readTask{paths: p.paths, buffers: &buffers{length: int(length), block: int(p.block)}, run: m.openReadCloseOnStack}
		}
		return &readTask{paths: p.paths, buffers: newBuffers(length, p.buffer == "fresh"), run: m.openReadClose}
	case readWhole:
		return &readTask{paths: p.paths, buffers: newBuffers(p.block, p.buffer == "fresh"), run: m.readWhole}
	case readBlock:
		return &blockTask{paths: p.paths, size: p.size, open: m.readBlock, buffers: newBuffers(p.block, p.buffer == "fresh")}
	case lines:
		return &linesTask{paths: p.paths, run: m.lines}
	case search:
		return newSearchTask(p, m.search)
	case hashFile:
		return newHashTask(p, m.hash)
	case create:
		return m.create(p)
	case writeBlock:
		return newWriteTask(p, m.writeBlock)
	case copyFile:
		return newCopyTask(p, m.copy)
	case configLoad:
		return newConfigTask(p, m.configLoad)
	case renderTemplate:
		return &templateTask{paths: p.paths, run: m.template}
	case reload:
		return newReloadTask(p, m.reload)
	default:
		return m.more[p.operation](p)
	}
}

// openTask performs open-close, open-missing and open-write-close.
type openTask struct {
	plain
	paths []string
	run   func(path string) error
}

func (t *openTask) perform(which int, _ int64, _ *sink) error { return t.run(t.paths[which]) }

// readTask performs open-read-close and read-whole.
type readTask struct {
	plain
	paths   []string
	buffers *buffers
	run     func(path string, buffers *buffers, out *sink) error
}

func (t *readTask) perform(which int, _ int64, out *sink) error {
	return t.run(t.paths[which], t.buffers, out)
}

// blockTask performs read-block on files that stay open.
type blockTask struct {
	paths   []string
	size    int64
	open    func(path string, size int64) (blockSource, error)
	buffers *buffers
	sources []blockSource
}

func (t *blockTask) perform(which int, offset int64, out *sink) error {
	return t.sources[which].readBlock(t.buffers, offset, out)
}

func (t *blockTask) takeUp() error {
	for len(t.sources) < len(t.paths) {
		source, err := t.open(t.paths[len(t.sources)], t.size)
		if err != nil {
			return err
		}
		t.sources = append(t.sources, source)
	}
	return nil
}

func (t *blockTask) release() error {
	var first error
	for _, source := range t.sources {
		if err := source.Close(); err != nil && first == nil {
			first = err
		}
	}
	t.sources = t.sources[:0]
	return first
}
