// null: the loop, the dispatch and the digest of a method, without its I/O. The
// operations whose answer is computed have theirs in null_answer.go, those that
// write in null_write.go.

package main

import (
	"io"
	"os"
	"syscall"
)

func newNullTask(p *plan) task {
	switch p.operation {
	case openReadClose:
		return &heldTask{paths: p.paths, load: loadOutsideHeap, deliver: func(data []byte, _ int64) []byte { return data[:min(int64(len(data)), p.block)] }}
	case readBlock:
		return &heldTask{paths: p.paths, load: loadOutsideHeap, deliver: func(data []byte, offset int64) []byte { return data[offset : offset+p.block] }}
	case readWhole, reload:
		return &heldTask{paths: p.paths, load: loadOutsideHeap, deliver: whole}
	case renderTemplate:
		return &heldTask{paths: p.paths, load: parseFile, deliver: whole}
	case writeBlock:
		return &nullWriteTask{pool: newPool(p)}
	case create:
		return newNullCreateTask(p)
	case lines, search, hashFile, copyFile, configLoad:
		return newAnswerTask(p)
	default:
		if null := added[p.operation]; null != nil {
			return null(p)
		}
		return nothingTask{}
	}
}

func whole(data []byte, _ int64) []byte { return data }

// nothingTask is for operations without data.
type nothingTask struct{ plain }

func (nothingTask) perform(int, int64, *sink) error { return nil }

// heldTask delivers bytes that are already in memory.
type heldTask struct {
	paths   []string
	held    [][]byte
	load    func(path string) ([]byte, error)
	deliver func(data []byte, offset int64) []byte
}

func (t *heldTask) perform(which int, offset int64, out *sink) error {
	if data := t.deliver(t.held[which], offset); len(data) > 0 {
		out.take(data)
	}
	return nil
}

func (t *heldTask) takeUp() error {
	for len(t.held) < len(t.paths) {
		data, err := t.load(t.paths[len(t.held)])
		if err != nil {
			return err
		}
		t.held = append(t.held, data)
	}
	return nil
}

// The copy is no hold on the file, and loading it again would fill the cache
// that the caller wants to empty.
func (t *heldTask) release() error { return nil }

// loadOutsideHeap copies a file into memory that the collector does not see: a
// larger heap would be collected less often and flatter the other methods.
func loadOutsideHeap(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	data, err := syscall.Mmap(-1, 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	if _, err := io.ReadFull(f, data); err != nil {
		syscall.Munmap(data)
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return data, nil
}
