// truncate: cut a file that is there to fewer bytes. Each operation has a file of
// its own of --size bytes; --write says how many are left.

package main

import (
	"os"
	"syscall"
)

const truncate operation = "truncate"

func truncateMethod(name, does string, run func(path string, length int64) error) method {
	newTask := func(p *plan) task { return &truncateTask{newOwnFiles(p), run} }
	return method{name: name, does: does, more: map[operation]func(p *plan) task{truncate: newTask}}
}

func osOpenFileTruncate(path string, length int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = f.Truncate(length)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

func syscallTruncate(path string, length int64) error {
	if err := syscall.Truncate(path, length); err != nil {
		return &os.PathError{Op: "truncate", Path: path, Err: err}
	}
	return nil
}

func syscallOpenFtruncate(path string, length int64) error {
	fd, err := syscall.Open(path, syscall.O_WRONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	err = syscall.Ftruncate(fd, length)
	if closing := syscall.Close(fd); err == nil {
		err = closing
	}
	if err != nil {
		return &os.PathError{Op: "ftruncate", Path: path, Err: err}
	}
	return nil
}

// truncateTask finds its files as create finds those that exist, and delivers nothing.
type truncateTask struct {
	*createTask[struct{}]
	run func(path string, length int64) error
}

func newOwnFiles(p *plan) *createTask[struct{}] {
	files := newCreateTask(p, creator[struct{}]{})
	files.existing, files.existingBytes = "data", p.size
	return files
}

func (t *truncateTask) perform(int, int64, *sink) error {
	path := t.paths[t.next]
	t.next++
	return t.run(path, int64(len(t.text)))
}

// readBack delivers what is left, which is no delivery of the operation's.
func (t *truncateTask) readBack(out *sink) error {
	data, err := os.ReadFile(t.paths[0])
	out.verify(data)
	return err
}

// nullTruncateTask does the same and makes no file.
type nullTruncateTask struct{ truncateTask }

func newNullTruncateTask(p *plan) task {
	nothing := func(string, int64) error { return nil }
	return &nullTruncateTask{truncateTask{newOwnFiles(p), nothing}}
}

func (t *nullTruncateTask) stage(_, count uint64) error {
	t.ready(names("", "f", count))
	return nil
}

func (t *nullTruncateTask) readBack(out *sink) error {
	out.verify(t.text)
	return nil
}
