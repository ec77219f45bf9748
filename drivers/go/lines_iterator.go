//go:build go1.24

// bytes.Lines, which needs Go 1.24.

package main

import (
	"bytes"
	"os"
)

var bytesLines = method{
	name:  "os.ReadFile+bytes.Lines",
	does:  "os.ReadFile, range over bytes.Lines, bytes.TrimSuffix",
	lines: linesIterator,
}

func linesIterator(path string, out *sink) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		out.line(bytes.TrimSuffix(line, newline))
	}
	return nil
}
