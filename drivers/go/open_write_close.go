// open-write-close: open an existing file for writing and close it.

package main

import (
	"os"
	"syscall"
)

func osOpenFileWrite(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// os.Create truncates what is there, and creates what is not.
func osCreate(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return f.Close()
}

func syscallOpenWrite(path string) error {
	fd, err := syscall.Open(path, syscall.O_WRONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	return syscall.Close(fd)
}
