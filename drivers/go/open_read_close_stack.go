// open-read-close into an array in the function's own frame, as "How to Open a
// File in Linux: A Deep Dive" (P. McConnell, 2025-03-04) reads: make with a
// constant length, whose slice goes no further than the call, is no allocation.

package main

import (
	"io"
	"os"
	"syscall"
)

// onStack is inlined, so that its slices belong to the caller's frame; it is nil
// for a size that is no constant here.
func onStack(block int) []byte {
	switch block {
	case 512:
		return make([]byte, 512)
	case 1024:
		return make([]byte, 1024)
	case 4096:
		return make([]byte, 4096)
	case 8096:
		return make([]byte, 8096)
	}
	return nil
}

func osOpenReadOnStack(path string, buffers *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffer := onStack(buffers.block)[:buffers.length]
	n, err := f.Read(buffer)
	if err != nil && err != io.EOF {
		return err
	}
	out.take(buffer[:n])
	return nil
}

func osOpenReadAtOnStack(path string, buffers *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return readStart(f, onStack(buffers.block)[:buffers.length], out)
}

func syscallOpenReadOnStack(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buffer := onStack(buffers.block)[:buffers.length]
	n, err := syscall.Read(fd, buffer)
	if err != nil {
		return &os.PathError{Op: "read", Path: path, Err: err}
	}
	out.take(buffer[:n])
	return nil
}

func syscallOpenPreadOnStack(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buffer := onStack(buffers.block)[:buffers.length]
	n, err := syscall.Pread(fd, buffer, 0)
	if err != nil {
		return &os.PathError{Op: "pread", Path: path, Err: err}
	}
	out.take(buffer[:n])
	return nil
}
