// null for operations that write: the blocks and the passes, and no file.

package main

// nullWriteTask takes blocks from the pool, as write-block does.
type nullWriteTask struct {
	plain
	pool pool
}

func (t *nullWriteTask) perform(_ int, _ int64, out *sink) error {
	out.take(t.pool.next())
	return nil
}

func (t *nullWriteTask) stage(first, _ uint64) error {
	t.pool.start(first)
	return nil
}

func (t *nullWriteTask) nextPass() bool  { return false }
func (t *nullWriteTask) conclude() error { return nil }
func (t *nullWriteTask) strike() error   { return nil }

func (t *nullWriteTask) readBack(out *sink) error {
	t.pool.start(0)
	out.take(t.pool.next())
	return nil
}

// nullCreateTask makes the passes of create with files that are not there.
type nullCreateTask struct{ *createTask[struct{}] }

func newNullCreateTask(p *plan) task {
	return nullCreateTask{newCreateTask(p, creator[struct{}]{
		open:  func(string) (struct{}, error) { return struct{}{}, nil },
		write: func(struct{}, []byte) error { return nil },
		sync:  func(struct{}) error { return nil },
		close: func(struct{}) error { return nil },
	})}
}

func (t nullCreateTask) stage(_, count uint64) error {
	t.ready(names("", "f", count))
	return nil
}

func (t nullCreateTask) conclude() error { return nil }

func (t nullCreateTask) readBack(out *sink) error {
	out.written(int64(len(t.text)))
	out.verify(t.text)
	return nil
}
