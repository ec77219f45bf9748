//go:build go1.24

// bytes.Lines, which needs Go 1.24.

package main

import (
	"bytes"
	"os"
)

var bytesLines = method{Name: "os.ReadFile+bytes.Lines", ways: ways{lines: eachPath(linesIterator)}}

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
