// open-read-close: open, one read at offset 0, close.

package main

import (
	"io"
	"os"
	"syscall"
)

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
