// Checks a collection of cartridge images: size in banks of 16 KB and the checksum of the head.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const bank = 16 * 1024

type rom struct {
	data []byte
	sum  byte
}

func load(path string) (*rom, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	r := &rom{data: make([]byte, size)}
	if _, err := io.ReadFull(f, r.data); err != nil {
		return nil, err
	}
	for _, b := range r.data[0x134:0x14d] {
		r.sum -= b + 1
	}
	return r, nil
}

func main() {
	names, _ := filepath.Glob("roms/*.gb")
	odd := 0
	for _, n := range names {
		r, err := load(n)
		if err != nil {
			fmt.Fprintln(os.Stderr, n, err)
			os.Exit(1)
		}
		if len(r.data)%bank != 0 {
			odd++
		}
		fmt.Printf("%-16s %2d banks, head sum %02x\n", filepath.Base(n), len(r.data)/bank, r.sum)
	}
	fmt.Println(odd, "odd sizes")
}
