// create: make a file, perhaps write into it, and close it.

package main

import (
	"io"
	"os"
	"syscall"
)

// creator is one way to make files; H is what it holds of an open one.
type creator[H any] struct {
	open  func(path string) (H, error)
	write func(H, []byte) error
	sync  func(H) error
	close func(H) error
}

var createOS = creator[*os.File]{os.Create, writeAll, (*os.File).Sync, (*os.File).Close}

var createOpenFile = creator[*os.File]{osOpenFileCreate, writeAll, (*os.File).Sync, (*os.File).Close}

var createSyscall = creator[int]{syscallCreate, syscallWrite, syscall.Fsync, syscall.Close}

func osOpenFileCreate(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
}

func writeAll(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return err
}

func syscallCreate(path string) (int, error) {
	fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_TRUNC, 0o644)
	if err != nil {
		return -1, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

func syscallWrite(fd int, data []byte) error {
	n, err := syscall.Write(fd, data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return &os.PathError{Op: "write", Err: err}
	}
	return nil
}

func creates[H any](c creator[H]) way {
	return func(p *plan) (task, error) { return newCreateTask(p, c), nil }
}

// createsNothing makes the passes of create with files that are not there.
func createsNothing(p *plan) (task, error) {
	t := newCreateTask(p, creator[struct{}]{
		open:  func(string) (struct{}, error) { return struct{}{}, nil },
		write: func(struct{}, []byte) error { return nil },
		sync:  func(struct{}) error { return nil },
		close: func(struct{}) error { return nil },
	})
	t.isNull = true
	return t, nil
}

// createTask performs create. With files that stay open a batch has passes, one
// after the other over all of its files.
type createTask[H any] struct {
	ownFiles
	way    creator[H]
	fsync  bool
	isNull bool
	// existing are the files that stand there, and how many bytes they hold.
	existing      string
	existingBytes int64
	text          []byte
	// open are the files that are, at the places of their paths.
	open           []H
	opened, closed int
	// passes are those that remain; step is what perform does in this one.
	passes []func(out *sink) error
	step   func(out *sink) error
}

func newCreateTask[H any](p *plan, way creator[H]) *createTask[H] {
	return &createTask[H]{ownFiles: ownFiles{plan: p}, way: way, fsync: p.sync == "fsync", existing: p.existing, existingBytes: 4096, text: patternText(p.write)}
}

func (t *createTask[H]) perform(_ int, _ int64, out *sink) error { return t.step(out) }

func (t *createTask[H]) stage(_, count uint64) error {
	if t.isNull {
		t.paths = names("", "f", count)
		t.ready()
		return nil
	}
	if t.plan.close != "each" {
		if err := checkLimit(count); err != nil {
			return err
		}
	}
	directory := ""
	if t.existing != "fresh" {
		directory = t.plan.directories.prepared()
	}
	prepared := directory != ""
	var err error
	if !prepared {
		if directory, err = t.plan.directories.next(); err != nil {
			return err
		}
	}
	if err := t.enter(directory, "f", count); err != nil {
		return err
	}
	t.ready()
	if !prepared {
		err = t.fill()
	}
	return err
}

// ready begins a batch that makes the files of its paths.
func (t *createTask[H]) ready() {
	t.open, t.opened, t.closed = nil, 0, 0
	t.passes = []func(*sink) error{t.whole}
	if t.plan.close != "each" {
		t.open = make([]H, len(t.paths))
		t.passes = []func(*sink) error{t.openOne}
	}
	switch {
	case t.plan.close == "all":
		t.passes = append(t.passes, t.closeOne)
	case t.plan.close == "none" && t.fsync:
		t.passes = append(t.passes, t.syncOne)
	}
	t.nextPass()
}

// fill makes what stands where the batch will write.
func (t *createTask[H]) fill() error {
	for _, path := range t.paths {
		var err error
		switch t.existing {
		case "empty":
			err = os.WriteFile(path, nil, 0o644)
		case "data":
			err = writeSynced(path, t.existingBytes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *createTask[H]) nextPass() bool {
	if len(t.passes) == 0 {
		return false
	}
	t.step, t.passes, t.next = t.passes[0], t.passes[1:], 0
	return true
}

// whole makes a file and closes it.
func (t *createTask[H]) whole(out *sink) error {
	path := t.paths[t.next]
	t.next++
	h, err := t.way.open(path)
	if err != nil {
		return err
	}
	if len(t.text) > 0 {
		err = t.way.write(h, t.text)
	}
	if err == nil && t.fsync {
		err = t.way.sync(h)
	}
	if closing := t.way.close(h); err == nil {
		err = closing
	}
	out.written(int64(len(t.text)))
	return err
}

// openOne opens a file that stays open, and writes into it.
func (t *createTask[H]) openOne(out *sink) error {
	h, err := t.way.open(t.paths[t.next])
	if err != nil {
		return err
	}
	t.open[t.next] = h
	t.next++
	t.opened++
	if len(t.text) == 0 {
		return nil
	}
	out.written(int64(len(t.text)))
	return t.way.write(h, t.text)
}

func (t *createTask[H]) syncOne(*sink) error {
	h := t.open[t.next]
	t.next++
	return t.way.sync(h)
}

func (t *createTask[H]) closeOne(*sink) error {
	h := t.open[t.next]
	if t.fsync {
		if err := t.way.sync(h); err != nil {
			return err
		}
	}
	t.next++
	t.closed++
	return t.way.close(h)
}

func (t *createTask[H]) strike() error {
	var first error
	for ; t.open != nil && t.closed < t.opened; t.closed++ {
		if err := t.way.close(t.open[t.closed]); err != nil && first == nil {
			first = err
		}
	}
	if err := t.ownFiles.strike(); first == nil {
		first = err
	}
	return first
}

func (t *createTask[H]) readBack(out *sink) error {
	if !t.isNull {
		return t.ownFiles.readBack(out)
	}
	out.written(int64(len(t.text)))
	out.verify(t.text)
	return nil
}
