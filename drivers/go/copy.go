// copy: copy a file to a path where there is none.

package main

import (
	"io"
	"os"
)

func copies(run func(from, to string, sync bool) (int64, error)) way {
	return func(p *plan) (task, error) { return &copyTask{ownFiles{plan: p}, run, p.sync == "fsync"}, nil }
}

// copyTask performs copy.
type copyTask struct {
	ownFiles
	run   func(from, to string, sync bool) (int64, error)
	fsync bool
}

func (t *copyTask) perform(which int, _ int64, out *sink) error {
	to := t.paths[t.next]
	t.next++
	size, err := t.run(t.plan.paths[which], to, t.fsync)
	out.written(size)
	return err
}

func (t *copyTask) stage(_, count uint64) error {
	d := t.plan.directories
	directory, err := d.next()
	if err != nil {
		return err
	}
	err = t.enter(directory, "c", count)
	d.passing = append(d.passing, t.paths...)
	return err
}

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
