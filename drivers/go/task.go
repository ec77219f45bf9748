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

func newTask(p *plan, m method) task {
	switch {
	case m.isNull:
		return newNullTask(p)
	case p.operation == openClose:
		return &openTask{paths: p.paths, run: m.openClose}
	case p.operation == openReadClose:
		// Never more than the file holds: File.ReadAt asks again after a short
		// read. Direct I/O needs the whole block whatever the file holds.
		length := min(p.block, p.size)
		if m.direct {
			length = p.block
		}
		return &readTask{paths: p.paths, buffers: newBuffers(length, p.fresh), run: m.openReadClose}
	case p.operation == readWhole:
		return &readTask{paths: p.paths, buffers: newBuffers(p.block, p.fresh), run: m.readWhole}
	default:
		return &blockTask{paths: p.paths, size: p.size, open: m.readBlock, buffers: newBuffers(p.block, p.fresh)}
	}
}

// openTask performs open-close.
type openTask struct {
	paths []string
	run   func(path string) error
}

func (t *openTask) perform(which int, _ int64, _ *sink) error { return t.run(t.paths[which]) }
func (t *openTask) takeUp() error                             { return nil }
func (t *openTask) release() error                            { return nil }

// readTask performs open-read-close and read-whole.
type readTask struct {
	paths   []string
	buffers *buffers
	run     func(path string, buffers *buffers, out *sink) error
}

func (t *readTask) perform(which int, _ int64, out *sink) error {
	return t.run(t.paths[which], t.buffers, out)
}
func (t *readTask) takeUp() error  { return nil }
func (t *readTask) release() error { return nil }

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
