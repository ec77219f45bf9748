// Finds duplicate pictures and sums up their sizes.
package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"io"
	"log"
	"os"
)

type picture struct {
	width, height int
	sum           [16]byte
}

func size(data []byte) (w, h int, err error) {
	_, err = fmt.Fscanf(bytes.NewReader(data), "P6 %d %d", &w, &h)
	return
}

func probe(path string) (p picture, err error) {
	f, err := os.Open(path)
	if err != nil {
		return p, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return p, err
	}
	data := make([]byte, st.Size())
	if _, err = io.ReadFull(f, data); err != nil {
		return p, err
	}
	p.sum = md5.Sum(data)
	p.width, p.height, err = size(data)
	return p, err
}

func main() {
	seen := map[[16]byte]bool{}
	pixels := 0
	for i := 0; i < 60; i++ {
		p, err := probe(fmt.Sprintf("images/%d.ppm", i))
		if err != nil {
			log.Fatal(err)
		}
		seen[p.sum] = true
		pixels += p.width * p.height
	}
	fmt.Printf("%d different pictures, %d pixels\n", len(seen), pixels)
}
