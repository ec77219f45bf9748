//go:build !go1.24

// The place of bytes.Lines in a driver built by an older Go: listed, never
// performed.

package main

import "syscall"

var bytesLines = method{
	name:        "os.ReadFile+bytes.Lines",
	does:        "os.ReadFile, range over bytes.Lines, bytes.TrimSuffix",
	unavailable: "bytes.Lines needs Go 1.24",
	lines:       func(string, *sink) error { return syscall.ENOSYS },
}
