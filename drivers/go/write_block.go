// write-block: write one block into a file that stays open.

package main

import (
	"bufio"
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

type writeAtFile struct{ *os.File }

func writerAt(f *os.File, _ int64) blockWriter { return writeAtFile{f} }

func (f writeAtFile) writeBlock(block []byte, offset int64) error {
	_, err := f.WriteAt(block, offset)
	return err
}

func (f writeAtFile) Flush() error { return nil }

type pwriteFile struct {
	fd   int
	path string
}

func writerPwrite(f *os.File, _ int64) blockWriter { return &pwriteFile{int(f.Fd()), f.Name()} }

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

func (f *pwriteFile) Flush() error { return nil }

// sequentialFile writes where it stands; it moves only where the order of
// blocks begins again.
type sequentialFile struct {
	*os.File
	position int64
}

func writerSequential(f *os.File, position int64) blockWriter { return &sequentialFile{f, position} }

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

func (f *sequentialFile) Flush() error { return nil }

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

// writeTask performs write-block.
type writeTask struct {
	plain
	plan   *plan
	pool   pool
	wrap   func(f *os.File, position int64) blockWriter
	path   string
	file   *os.File
	writer blockWriter
}

func newWriteTask(p *plan, wrap func(*os.File, int64) blockWriter) task {
	return &writeTask{plan: p, pool: newPool(p), wrap: wrap}
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
	if err := t.place(); err != nil {
		return err
	}
	var err error
	if t.file, err = os.OpenFile(t.path, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
		return err
	}
	// A batch need not begin at the start of the file.
	position, err := t.file.Seek(t.plan.offset(first), io.SeekStart)
	if err != nil {
		return err
	}
	t.writer = t.wrap(t.file, position)
	t.pool.start(first)
	return nil
}

// place makes the directory and what stands in it before the batch.
func (t *writeTask) place() error {
	d := t.plan.directories
	if t.plan.existing == "data" && d.dataFile != "" {
		t.path = d.dataFile
		return nil
	}
	directory, err := d.next()
	if err != nil {
		return err
	}
	t.path = directory + "/f"
	if t.plan.existing == "data" {
		d.dataFile = t.path
		return writeSynced(t.path, t.plan.size)
	}
	d.passing = append(d.passing, t.path)
	if t.plan.existing == "empty" {
		return os.WriteFile(t.path, nil, 0o644)
	}
	return nil
}

func (t *writeTask) nextPass() bool { return false }

func (t *writeTask) conclude() error {
	if err := t.writer.Flush(); err != nil {
		return err
	}
	switch t.plan.sync {
	case "fsync":
		return t.file.Sync()
	case "syncfs":
		return syncFileSystem(t.file)
	default:
		return nil
	}
}

func (t *writeTask) strike() error {
	if t.file == nil {
		return nil
	}
	err := t.file.Close()
	t.file = nil
	return err
}

func (t *writeTask) readBack(out *sink) error {
	f, err := os.Open(t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, t.plan.block)
	if _, err := f.ReadAt(block, t.plan.offset(0)); err != nil {
		return &os.PathError{Op: "read", Path: t.path, Err: err}
	}
	out.take(block)
	return nil
}
