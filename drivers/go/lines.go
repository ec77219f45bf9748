// lines: hand every line of a file to the program, whatever its bytes and its
// length.

package main

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"os"
)

// bufio.Scanner as it must be set to deliver every line of every file: without
// a longest line, and without bufio.ScanLines, which drops a carriage return.
func linesScanner(path string, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, math.MaxInt)
	scanner.Split(splitLines)
	for scanner.Scan() {
		out.line(scanner.Bytes())
	}
	return scanner.Err()
}

// splitLines is bufio.ScanLines for lines that may end in a carriage return.
func splitLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// ReadSlice copies nothing, but a line longer than its buffer comes in pieces.
func linesReadSlice(path string, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	reader := bufio.NewReader(f)
	var long []byte
	for {
		line, err := reader.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if err == io.EOF {
			if len(line) > 0 {
				out.line(line)
			}
			return nil
		}
		if err != nil {
			return err
		}
		out.line(line[:len(line)-1])
		long = long[:0]
	}
}

func linesReadBytes(path string, out *sink) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	reader := bufio.NewReader(f)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			if len(line) > 0 {
				out.line(line)
			}
			return nil
		}
		if err != nil {
			return err
		}
		out.line(line[:len(line)-1])
	}
}

func linesReadFile(path string, out *sink) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	eachLine(data, out)
	return nil
}

func eachLine(data []byte, out *sink) {
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			out.line(data)
			return
		}
		out.line(data[:i])
		data = data[i+1:]
	}
}
