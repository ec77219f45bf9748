// null: the loop, the dispatch and the digest of a method, without its I/O. What
// must be computed is computed beforehand.

package main

import (
	"io"
	"os"
	"syscall"
)

var nullWays = ways{
	nothing: doesNothing, openClose: doesNothing, openMissing: doesNothing, openWriteClose: doesNothing,
	openReadClose: holds(loadOutsideHeap, start),
	readBlock:     holds(loadOutsideHeap, block),
	readWhole:     holds(loadOutsideHeap, whole), reload: holds(loadOutsideHeap, whole),
	renderTemplate: holds(parseFile, whole),
	lines:          knows(eachPath(linesScanner)), search: knows(searches(searchMapped(countBytes))),
	hashFile: knows(hashes(hashMapped)), copyFile: knows(eachPath(sizeAndData)), configLoad: knows(loads(configReadFile)),
	create: createsNothing, truncate: truncatesNothing,
	writeBlock: func(p *plan) (task, error) { return &nullWriteTask{ownFiles{plan: p}, newPool(p)}, nil },
}

func doesNothing(*plan) (task, error) { return nothingTask{}, nil }

type nothingTask struct{ plain }

func (nothingTask) perform(int, int64, *sink) error { return nil }

// slicer finds what one operation delivers in the data of its file.
type slicer func(data []byte, offset int64) []byte

func start(p *plan) slicer {
	return func(data []byte, _ int64) []byte { return data[:min(int64(len(data)), p.block)] }
}

func block(p *plan) slicer {
	return func(data []byte, offset int64) []byte { return data[offset : offset+p.block] }
}

func whole(*plan) slicer { return func(data []byte, _ int64) []byte { return data } }

// holds is the way to deliver bytes that are already in memory.
func holds(load func(path string) ([]byte, error), deliver func(p *plan) slicer) way {
	return func(p *plan) (task, error) {
		return &heldTask{paths: p.paths, load: load, deliver: deliver(p)}, nil
	}
}

type heldTask struct {
	plain
	paths   []string
	held    [][]byte
	load    func(path string) ([]byte, error)
	deliver slicer
}

func (t *heldTask) perform(which int, offset int64, out *sink) error {
	if data := t.deliver(t.held[which], offset); len(data) > 0 {
		out.take(data)
	}
	return nil
}

// The copy is no hold on the file: it is not released, since loading it again would
// fill the cache that the caller wants to empty.
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

// knows is the way to give answers that another one found.
func knows(other way) way {
	return func(p *plan) (task, error) {
		found, err := other(p)
		return &answerTask{other: found, turns: p.turns()}, err
	}
}

type answerTask struct {
	plain
	other   task
	turns   int
	answers []answer
}

type answer struct{ delivered, verified sink }

func (t *answerTask) perform(which int, _ int64, out *sink) error {
	a := &t.answers[which].delivered
	if out.full {
		a = &t.answers[which].verified
	}
	out.bytes += a.bytes
	out.digest += a.digest
	out.counted += a.counted
	out.crc = a.crc
	return nil
}

func (t *answerTask) takeUp() error {
	if err := t.other.takeUp(); err != nil {
		return err
	}
	for which := len(t.answers); which < t.turns; which++ {
		a := answer{verified: sink{full: true}}
		for _, out := range []*sink{&a.delivered, &a.verified} {
			if err := t.other.perform(which, 0, out); err != nil {
				return err
			}
		}
		t.answers = append(t.answers, a)
	}
	return nil
}

// sizeAndData are what a copy answers, and what it is checked by.
func sizeAndData(path string, out *sink) error {
	data, err := mapWhole(path)
	if err != nil {
		return err
	}
	out.written(int64(len(data)))
	out.verify(data)
	if data != nil {
		return syscall.Munmap(data)
	}
	return nil
}

// nullWriteTask takes blocks from the pool, as write-block does.
type nullWriteTask struct {
	ownFiles
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

func (t *nullWriteTask) readBack(out *sink) error {
	t.pool.start(0)
	out.take(t.pool.next())
	return nil
}
