// truncate: cut a file that is there to fewer bytes. Each operation has a file of
// its own of --size bytes; --write says how many are left.

package main

import (
	"os"
	"syscall"
)

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

func truncates(run func(path string, length int64) error) way {
	return func(p *plan) (task, error) { return newTruncateTask(p, run), nil }
}

func truncatesNothing(p *plan) (task, error) {
	t := newTruncateTask(p, func(string, int64) error { return nil })
	t.isNull = true
	return t, nil
}

// truncateTask finds its files as create finds those that exist, and delivers nothing.
type truncateTask struct {
	*createTask[struct{}]
	run func(path string, length int64) error
}

func newTruncateTask(p *plan, run func(path string, length int64) error) *truncateTask {
	files := newCreateTask(p, creator[struct{}]{})
	files.existing, files.existingBytes = "data", p.size
	return &truncateTask{files, run}
}

func (t *truncateTask) perform(int, int64, *sink) error {
	path := t.paths[t.next]
	t.next++
	return t.run(path, int64(len(t.text)))
}

// readBack delivers what is left, which is no delivery of the operation's.
func (t *truncateTask) readBack(out *sink) error {
	err := t.createTask.readBack(out)
	out.bytes = 0
	return err
}
