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

const fadviseRandom = 1

func openForPreadRandom(path string, size int64) (blockSource, error) {
	source, err := openForPread(path, size)
	if err != nil {
		return nil, err
	}
	// A length of 0 means to the end.
	fd := uintptr(source.(*descriptor).fd)
	if _, _, errno := syscall.Syscall6(syscall.SYS_FADVISE64, fd, 0, 0, fadviseRandom, 0, 0); errno != 0 {
		source.Close()
		return nil, &os.PathError{Op: "fadvise", Path: path, Err: errno}
	}
	return source, nil
}

func mapFileRandom(path string, size int64) (blockSource, error) {
	return mapAdvised(path, size, syscall.MADV_RANDOM)
}

func mapFileSequential(path string, size int64) (blockSource, error) {
	return mapAdvised(path, size, syscall.MADV_SEQUENTIAL)
}

func mapAdvised(path string, size int64, advice int) (blockSource, error) {
	source, err := mapFile(path, size)
	if err != nil {
		return nil, err
	}
	if err := syscall.Madvise(source.(*mapping).data, advice); err != nil {
		source.Close()
		return nil, &os.PathError{Op: "madvise", Path: path, Err: err}
	}
	return source, nil
}

func readsBlocks(open func(path string, size int64) (blockSource, error)) way {
	return func(p *plan) (task, error) {
		return &blockTask{paths: p.paths, size: p.size, open: open, buffers: newBuffers(p.block, p.buffer == "fresh")}, nil
	}
}

// blockTask performs read-block on files that stay open.
type blockTask struct {
	paths   []string
	size    int64
	open    func(path string, size int64) (blockSource, error)
	buffers *buffers
	sources []blockSource
}

func (t *blockTask) perform(which int, offset int64, out *sink) error {
	return t.sources[which].readBlock(t.buffers, offset, out)
}

func (t *blockTask) takeUp() error {
	for len(t.sources) < len(t.paths) {
		source, err := t.open(t.paths[len(t.sources)], t.size)
		if err != nil {
			return err
		}
		t.sources = append(t.sources, source)
	}
	return nil
}

func (t *blockTask) release() error {
	var first error
	for _, source := range t.sources {
		if err := source.Close(); err != nil && first == nil {
			first = err
		}
	}
	t.sources = t.sources[:0]
	return first
}
