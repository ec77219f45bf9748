// read-whole: open, read the whole file, close.

package main

import (
	"bufio"
	"io"
	"os"
	"syscall"
)

func osReadFile(path string, _ *buffers, out *sink) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	out.take(data)
	return nil
}

func osOpenReadAll(path string, _ *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	out.take(data)
	return nil
}

func osOpenBufioReadAll(path string, _ *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(bufio.NewReader(f))
	if err != nil {
		return err
	}
	out.take(data)
	return nil
}

func osOpenStatReadAt(path string, _ *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		return &os.PathError{Op: "read", Path: path, Err: err}
	}
	out.take(data)
	return nil
}

func osOpenBufio(path string, buffers *buffers, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	reader := bufio.NewReader(f)
	buffer := buffers.next()
	for {
		n, err := reader.Read(buffer)
		out.take(buffer[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func syscallOpenPreadAll(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buffer := buffers.next()
	for offset := int64(0); ; {
		n, err := syscall.Pread(fd, buffer, offset)
		if err != nil {
			return &os.PathError{Op: "pread", Path: path, Err: err}
		}
		if n == 0 {
			return nil
		}
		out.take(buffer[:n])
		offset += int64(n)
	}
}

func mmapWhole(path string, _ *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return &os.PathError{Op: "fstat", Path: path, Err: err}
	}
	return mapped(path, fd, int(stat.Size), out)
}

// mmapCopyWhole reads every byte: the buffer holds in the end what a read would have left there.
func mmapCopyWhole(path string, buffers *buffers, out *sink) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return &os.PathError{Op: "fstat", Path: path, Err: err}
	}
	if stat.Size == 0 {
		return nil
	}
	data, err := syscall.Mmap(fd, 0, int(stat.Size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	defer syscall.Munmap(data)
	buffer := buffers.next()
	for len(data) > 0 {
		n := copy(buffer, data)
		out.take(buffer[:n])
		data = data[n:]
	}
	return nil
}

// mapped delivers the first length bytes of an open file through a mapping;
// an empty file cannot be mapped and needs no mapping.
func mapped(path string, fd, length int, out *sink) error {
	if length == 0 {
		return nil
	}
	data, err := syscall.Mmap(fd, 0, length, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	defer syscall.Munmap(data)
	out.take(data)
	return nil
}
