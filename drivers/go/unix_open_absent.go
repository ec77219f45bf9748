//go:build nounix

// The place of unix.Open in a driver built without golang.org/x/sys: listed,
// never performed.

package main

import "syscall"

var unixOpen = method{
	name:        "unix.Open",
	does:        "unix.Open with O_RDONLY, unix.Close",
	unavailable: "golang.org/x/sys could not be fetched when this driver was built",
	openClose:   func(string) error { return syscall.ENOSYS },
	openMissing: func(string) error { return syscall.ENOSYS },
}
