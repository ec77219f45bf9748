// Failures: what the caller is told when an operation or the whole run fails.

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
)

// unsupportedError says that this machine, or this build of the driver, cannot perform a method.
type unsupportedError struct {
	method string
	reason string
}

func (e *unsupportedError) Error() string {
	return fmt.Sprintf("not supported: %s: %s", e.method, e.reason)
}

// failure is the answer for an operation that failed: on this path, unless the error
// names one. What cannot be done here at all stays what it is, as nil does.
func failure(err error, path string) error {
	var unsupported *unsupportedError
	if err == nil || errors.As(err, &unsupported) {
		return err
	}
	op := "operation"
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		op = strings.ReplaceAll(pathError.Op, " ", "-")
		if pathError.Path != "" {
			path = pathError.Path
		}
	}
	return fmt.Errorf("error op=%s errno=%s path=%s", op, errnoOf(err), path)
}

func errnoOf(err error) string {
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno):
		return fmt.Sprint(int(errno))
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		// The file is shorter than it was said to be.
		return "ENODATA"
	case errors.Is(err, bufio.ErrTooLong):
		return "EOVERFLOW"
	default:
		return "EIO"
	}
}
