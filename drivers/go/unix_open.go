//go:build !nounix

// unix.Open, the one method that needs a module from outside the standard library.

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

var unixOpen = method{name: "unix.Open", does: "unix.Open with O_RDONLY, unix.Close", openClose: unixOpenClose, openMissing: unixOpenMissing}

func unixOpenClose(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	return unix.Close(fd)
}

func unixOpenMissing(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	if err == nil {
		unix.Close(fd)
		return found(path)
	}
	if err == unix.ENOENT {
		return nil
	}
	return &os.PathError{Op: "open", Path: path, Err: err}
}
