// lines as a published comparison reads them, flaws included: "How to Open a
// File in Linux: A Deep Dive" (P. McConnell, 2025-03-04) puts os.OpenFile with
// a bufio.Scanner beside a loop of pread with a Scanner for each piece.

package main

import (
	"bufio"
	"bytes"
	"os"
	"syscall"
)

const publishedPiece = 4096

const (
	flawScannerText = "drops a carriage return before a newline or the end; a line longer than 64 KiB is an error"
	flawGathered    = "joins lines until a scanned line is empty, since its test for a newline holds for every other line: hands on one record per empty line, and never what it holds at the end"
	flawPieces      = "lines cut at the borders of the 4 KiB pieces are delivered in two; drops a carriage return before a newline or the end of a piece"
)

func linesScannerText(path string, out *sink) error {
	f, err := os.OpenFile(path, os.O_RDONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		out.text(scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		return &os.PathError{Op: "scan", Path: path, Err: err}
	}
	return nil
}

// linesPieces leaves out what the publication does with a line once it has it.
func linesPieces(path string, out *sink) error {
	return pieces(path, func(piece []byte) {
		scanner := bufio.NewScanner(bytes.NewReader(piece))
		for scanner.Scan() {
			out.text(scanner.Text())
		}
	})
}

// linesPiecesGathered keeps that. The publication takes a line for a part of one
// when it does not end in a newline, which holds for every line that a Scanner
// delivers but the empty one: so lines join those before them in a buffer, with
// a newline after each piece, and only an empty line hands the buffer on.
func linesPiecesGathered(path string, out *sink) error {
	var gathered bytes.Buffer
	var largest int
	err := pieces(path, func(piece []byte) {
		scanner := bufio.NewScanner(bytes.NewReader(piece))
		for scanner.Scan() {
			line := scanner.Text()
			if len(line) > 0 && line[len(line)-1] != '\n' {
				gathered.WriteString(line)
			} else {
				// The publication would print it here; the line is out of a comment.
				out.line(gathered.Bytes())
				largest = max(largest, gathered.Len())
				gathered.Reset()
			}
		}
		if gathered.Len() > 0 {
			gathered.WriteByte('\n')
		}
	})
	out.gathered(largest, gathered.Len())
	return err
}

// pieces reads a file by pread, 4 KiB at once.
func pieces(path string, each func(piece []byte)) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buffer := make([]byte, publishedPiece)
	for offset := int64(0); ; {
		n, err := syscall.Pread(fd, buffer, offset)
		if err != nil {
			return &os.PathError{Op: "pread", Path: path, Err: err}
		}
		if n == 0 {
			return nil
		}
		each(buffer[:n])
		offset += int64(n)
	}
}
