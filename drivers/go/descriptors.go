// The limit on open files, for batches that keep theirs open.

package main

import (
	"fmt"
	"os"
	"syscall"
)

// ownDescriptors are those that the driver needs besides the files of a batch.
const ownDescriptors = 32

// checkLimit finds more files than this process may have open.
func checkLimit(count uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	if count+ownDescriptors > limit.Cur {
		return &unsupportedError{"create", fmt.Sprintf("%d files cannot be open at once, the limit is %d", count, limit.Cur)}
	}
	return nil
}

// raiseLimit allows as many descriptors as this process may ask for.
func raiseLimit() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		limit.Cur = limit.Max
		// Whether it did is asked before files are opened.
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
}
