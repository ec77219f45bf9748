//go:build !go1.24

// The place of bytes.Lines in a driver built by an older Go: listed, never
// performed.

package main

var bytesLines = method{Name: "os.ReadFile+bytes.Lines", Unavailable: "bytes.Lines needs Go 1.24", ways: ways{lines: doesNothing}}
