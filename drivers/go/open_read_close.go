// open-read-close: open, one read at offset 0, close.

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// readsStart is a way of open-read-close, with a form that reads into its own frame
// where there is one.
func readsStart(run, onTheStack reader) way {
	return func(p *plan) (task, error) {
		length := min(p.block, p.size)
		switch {
		case p.buffer != "stack":
			// Never more than the file holds: File.ReadAt asks again after a short read.
			return &readTask{paths: p.paths, buffers: newBuffers(length, p.buffer == "fresh"), run: run}, nil
		case onTheStack == nil:
			return nil, errors.New("it has no form with a buffer on the stack")
		case onStack(int(p.block)) == nil:
			return nil, fmt.Errorf("a buffer on the stack has a size known to the compiler: 512, 1024, 4096 and 8096 bytes, not %d", p.block)
		}
		return &readTask{paths: p.paths, buffers: &buffers{length: int(length), block: int(p.block)}, run: onTheStack}, nil
	}
}

// readsStartDirect needs the whole block, whatever the file holds.
func readsStartDirect(run reader) way {
	return func(p *plan) (task, error) {
		if p.buffer == "stack" {
			return nil, errors.New("it has no form with a buffer on the stack")
		}
		return reads(run)(p)
	}
}

func osOpenRead(path string, buffers *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffer := buffers.next()
	n, err := f.Read(buffer)
	if err != nil && err != io.EOF {
		return err
	}
	out.take(buffer[:n])
	return nil
}

func osOpenReadAt(path string, buffers *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return readStart(f, buffers.next(), out)
}

func osOpenDirectReadAt(path string, buffers *buffers, out *sink) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECT, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return readStart(f, buffers.nextAligned(), out)
}

func syscallOpenRead(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buffer := buffers.next()
	n, err := syscall.Read(fd, buffer)
	if err != nil {
		return &os.PathError{Op: "read", Path: path, Err: err}
	}
	out.take(buffer[:n])
	return nil
}

func syscallOpenPread(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buffer := buffers.next()
	n, err := syscall.Pread(fd, buffer, 0)
	if err != nil {
		return &os.PathError{Op: "pread", Path: path, Err: err}
	}
	out.take(buffer[:n])
	return nil
}

func mmapOpenRead(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	return mapped(path, fd, buffers.length, out)
}

// readStart reads one buffer at offset 0; a file that ends sooner is no error.
func readStart(f *os.File, buffer []byte, out *sink) error {
	n, err := f.ReadAt(buffer, 0)
	if err != nil && err != io.EOF {
		return err
	}
	out.take(buffer[:n])
	return nil
}
