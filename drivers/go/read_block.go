// read-block: read one block of a file that stays open, or stays mapped.

package main

import (
	"io"
	"os"
	"syscall"
)

// blockSource is an open file from which blocks are read.
type blockSource interface {
	readBlock(buffers *buffers, offset int64, out *sink) error
	Close() error
}

type readAtFile struct{ *os.File }

func openForReadAt(path string, _ int64) (blockSource, error) {
	f, err := os.Open(path)
	return readAtFile{f}, err
}

func (f readAtFile) readBlock(buffers *buffers, offset int64, out *sink) error {
	buffer := buffers.next()
	if _, err := f.ReadAt(buffer, offset); err != nil {
		return &os.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	out.take(buffer)
	return nil
}

type seekFile struct{ *os.File }

func openForSeek(path string, _ int64) (blockSource, error) {
	f, err := os.Open(path)
	return seekFile{f}, err
}

func (f seekFile) readBlock(buffers *buffers, offset int64, out *sink) error {
	buffer := buffers.next()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.ReadFull(f, buffer); err != nil {
		return &os.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	out.take(buffer)
	return nil
}

type descriptor struct {
	fd   int
	path string
}

func openForPread(path string, _ int64) (blockSource, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &descriptor{fd, path}, nil
}

func (d *descriptor) readBlock(buffers *buffers, offset int64, out *sink) error {
	buffer := buffers.next()
	n, err := syscall.Pread(d.fd, buffer, offset)
	if err == nil && n < len(buffer) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return &os.PathError{Op: "pread", Path: d.path, Err: err}
	}
	out.take(buffer)
	return nil
}

func (d *descriptor) Close() error { return syscall.Close(d.fd) }

type mapping struct{ data []byte }

func mapFile(path string, size int64) (blockSource, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	data, err := syscall.Mmap(fd, 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return &mapping{data}, nil
}

func (m *mapping) readBlock(buffers *buffers, offset int64, out *sink) error {
	out.take(m.data[offset : offset+int64(buffers.length)])
	return nil
}

func (m *mapping) Close() error { return syscall.Munmap(m.data) }

// copiedMapping reads every byte of a block, as a pread does.
type copiedMapping struct{ blockSource }

func mapFileToCopy(path string, size int64) (blockSource, error) {
	source, err := mapFile(path, size)
	if err != nil {
		return nil, err
	}
	return copiedMapping{source}, nil
}

func (m copiedMapping) readBlock(buffers *buffers, offset int64, out *sink) error {
	buffer := buffers.next()
	copy(buffer, m.blockSource.(*mapping).data[offset:])
	out.take(buffer)
	return nil
}
