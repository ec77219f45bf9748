// copy: copy a file to a path where there is none.

package main

import (
	"io"
	"os"
)

// copyTask performs copy.
type copyTask struct {
	plain
	plan      *plan
	run       func(from, to string, sync bool) (int64, error)
	copies    []string
	next      int
	fsync     bool
	directory *os.File
}

func newCopyTask(p *plan, run func(string, string, bool) (int64, error)) task {
	return &copyTask{plan: p, run: run, fsync: p.sync == "fsync"}
}

func (t *copyTask) perform(which int, _ int64, out *sink) error {
	to := t.copies[t.next]
	t.next++
	size, err := t.run(t.plan.paths[which], to, t.fsync)
	out.written(size)
	return err
}

func (t *copyTask) stage(_, count uint64) error {
	directory, err := t.plan.directories.next()
	if err != nil {
		return err
	}
	t.copies, t.next = names(directory, "c", count), 0
	t.plan.directories.passing = append(t.plan.directories.passing, t.copies...)
	t.directory, err = os.Open(directory)
	return err
}

func (t *copyTask) nextPass() bool { return false }

func (t *copyTask) conclude() error {
	if t.plan.sync == "syncfs" {
		return syncFileSystem(t.directory)
	}
	return nil
}

func (t *copyTask) strike() error {
	if t.directory == nil {
		return nil
	}
	err := t.directory.Close()
	t.directory = nil
	return err
}

func (t *copyTask) readBack(out *sink) error { return readBack(t.copies[0], out) }

// copyFiles is io.Copy between two files, for which os.File has a way of its
// own on Linux: copy_file_range.
func copyFiles(from, to string, sync bool) (int64, error) {
	return copyBetween(from, to, sync, func(target, source *os.File) (int64, error) {
		return io.Copy(target, source)
	})
}

const copyBufferBytes = 64 << 10

// copyBuffered hides that the files are files, so that the data goes through
// the buffer.
func copyBuffered(from, to string, sync bool) (int64, error) {
	return copyBetween(from, to, sync, func(target, source *os.File) (int64, error) {
		return io.CopyBuffer(struct{ io.Writer }{target}, struct{ io.Reader }{source}, make([]byte, copyBufferBytes))
	})
}

func copyBetween(from, to string, sync bool, copyData func(target, source *os.File) (int64, error)) (int64, error) {
	source, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	size, err := copyData(target, source)
	if err == nil && sync {
		err = target.Sync()
	}
	if closing := target.Close(); err == nil {
		err = closing
	}
	return size, err
}

// copyWhole has no open file to sync: it opens the copy once more for that.
func copyWhole(from, to string, sync bool) (int64, error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(to, data, 0o644); err != nil || !sync {
		return int64(len(data)), err
	}
	f, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return int64(len(data)), f.Sync()
}
