// open-missing: try to open a file that does not exist. That it is not found is
// the right answer; an open that succeeds is the failure.

package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func osOpenMissing(path string) error {
	f, err := os.Open(path)
	if err == nil {
		f.Close()
		return found(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func syscallOpenMissing(path string) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err == nil {
		syscall.Close(fd)
		return found(path)
	}
	if err == syscall.ENOENT {
		return nil
	}
	return &os.PathError{Op: "open", Path: path, Err: err}
}

func found(path string) error {
	return &os.PathError{Op: "open", Path: path, Err: syscall.EEXIST}
}
