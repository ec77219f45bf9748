// Makes a table of contents of the falcons' flight tracks, which are kept in blocks.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const blockSize = 4096

type flight struct {
	falcon string
	offset int64
	blocks int
	sum    uint32
}

func scan(f *os.File) ([]flight, error) {
	var flights []flight
	block := make([]byte, blockSize)
	for {
		_, err := io.ReadFull(f, block)
		if err == io.EOF {
			return flights, nil
		}
		if err != nil {
			return nil, err
		}
		end, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		falcon := string(block[:8])
		if n := len(flights); n == 0 || flights[n-1].falcon != falcon {
			flights = append(flights, flight{falcon: falcon, offset: end - blockSize})
		}
		last := &flights[len(flights)-1]
		last.blocks++
		for _, c := range block[8:] {
			last.sum = last.sum*33 + uint32(c)
		}
	}
}

func main() {
	f, err := os.Open("flights.trk")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	flights, err := scan(f)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var toc strings.Builder
	longest := flights[0]
	for _, fl := range flights {
		fmt.Fprintf(&toc, "%s %d %d %08x\n", fl.falcon, fl.offset, fl.blocks, fl.sum)
		if fl.blocks > longest.blocks {
			longest = fl
		}
	}
	if err := os.WriteFile("flights.toc", []byte(toc.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d flights, longest of %s with %d blocks at %d\n", len(flights), longest.falcon, longest.blocks, longest.offset)
}
