// write-block: write one block into a file that stays open.

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"syscall"
)

// blockWriter is an open file into which blocks are written.
type blockWriter interface {
	writeBlock(block []byte, offset int64) error
	// Flush hands over what is still held in memory.
	Flush() error
}

// unbuffered holds nothing in memory.
type unbuffered struct{}

func (unbuffered) Flush() error { return nil }

type writeAtFile struct {
	unbuffered
	*os.File
}

func writerAt(f *os.File, _ int64) blockWriter { return writeAtFile{File: f} }

func (f writeAtFile) writeBlock(block []byte, offset int64) error {
	_, err := f.WriteAt(block, offset)
	return err
}

type pwriteFile struct {
	unbuffered
	fd   int
	path string
}

func writerPwrite(f *os.File, _ int64) blockWriter {
	return &pwriteFile{fd: int(f.Fd()), path: f.Name()}
}

func (f *pwriteFile) writeBlock(block []byte, offset int64) error {
	n, err := syscall.Pwrite(f.fd, block, offset)
	if err == nil && n < len(block) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return &os.PathError{Op: "pwrite", Path: f.path, Err: err}
	}
	return nil
}

// sequentialFile writes where it stands; it moves only where the order of
// blocks begins again.
type sequentialFile struct {
	unbuffered
	*os.File
	position int64
}

func writerSequential(f *os.File, position int64) blockWriter {
	return &sequentialFile{File: f, position: position}
}

func (f *sequentialFile) writeBlock(block []byte, offset int64) error {
	if offset != f.position {
		if _, err := f.Seek(offset, io.SeekStart); err != nil {
			return err
		}
	}
	_, err := f.Write(block)
	f.position = offset + int64(len(block))
	return err
}

// bufferedFile is sequentialFile behind a bufio.Writer.
type bufferedFile struct {
	*bufio.Writer
	file     *os.File
	position int64
}

func writerBuffered(f *os.File, position int64) blockWriter {
	return &bufferedFile{bufio.NewWriter(f), f, position}
}

func (f *bufferedFile) writeBlock(block []byte, offset int64) error {
	if offset != f.position {
		if err := f.Flush(); err != nil {
			return err
		}
		if _, err := f.file.Seek(offset, io.SeekStart); err != nil {
			return err
		}
	}
	_, err := f.Write(block)
	f.position = offset + int64(len(block))
	return err
}

// opener makes a writer of a file that stands at this position.
type opener func(f *os.File, position int64) blockWriter

func writes(wrap opener) way {
	return func(p *plan) (task, error) { return &writeTask{ownFiles{plan: p}, newPool(p), wrap, nil}, nil }
}

func writesInOrder(wrap opener) way {
	return func(p *plan) (task, error) {
		if p.access != "sequential" {
			return nil, errors.New("it writes one block after the other, not at random places")
		}
		return writes(wrap)(p)
	}
}

// writeTask performs write-block.
type writeTask struct {
	ownFiles
	pool   pool
	wrap   opener
	writer blockWriter
}

func (t *writeTask) perform(_ int, offset int64, out *sink) error {
	block := t.pool.next()
	if err := t.writer.writeBlock(block, offset); err != nil {
		return err
	}
	out.take(block)
	return nil
}

func (t *writeTask) stage(first, _ uint64) error {
	path, err := t.file()
	if err != nil {
		return err
	}
	t.paths = []string{path}
	if t.place, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
		return err
	}
	// A batch need not begin at the start of the file.
	position, err := t.place.Seek(t.plan.offset(first), io.SeekStart)
	if err != nil {
		return err
	}
	t.writer = t.wrap(t.place, position)
	t.pool.start(first)
	return nil
}

// file makes the directory and what stands in it before the batch.
func (t *writeTask) file() (string, error) {
	d := t.plan.directories
	if t.plan.existing == "data" && d.dataFile != "" {
		return d.dataFile, nil
	}
	directory, err := d.next()
	path := directory + "/f"
	switch {
	case err != nil:
	case t.plan.existing == "data":
		d.dataFile = path
		err = writeSynced(path, t.plan.size)
	default:
		d.passing = append(d.passing, path)
		if t.plan.existing == "empty" {
			err = os.WriteFile(path, nil, 0o644)
		}
	}
	return path, err
}

func (t *writeTask) conclude() error {
	if err := t.writer.Flush(); err != nil {
		return err
	}
	if t.plan.sync == "fsync" {
		return t.place.Sync()
	}
	return t.ownFiles.conclude()
}

func (t *writeTask) readBack(out *sink) error {
	f, err := os.Open(t.paths[0])
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, t.plan.block)
	if _, err := f.ReadAt(block, t.plan.offset(0)); err != nil {
		return &os.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	out.take(block)
	return nil
}
