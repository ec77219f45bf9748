// read-block with advice to the kernel, given when the file is opened or mapped.

package main

import (
	"os"
	"syscall"
)

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
