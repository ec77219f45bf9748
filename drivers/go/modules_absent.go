//go:build nounix

// The place of what needs modules, in a driver built without them: listed, never
// performed.

package main

var moduleFormats map[string]format

var unixOpen = method{
	Name:        "unix.Open",
	Unavailable: "golang.org/x/sys could not be fetched when this driver was built",
	ways:        ways{openClose: doesNothing, openMissing: doesNothing},
}
