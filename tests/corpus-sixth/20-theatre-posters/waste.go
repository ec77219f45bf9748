// How much black ink does a set of theatre posters need?
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"math/bits"
	"os"
)

func readPoster(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

func ink(data []byte) (black, pixels int, err error) {
	var w, h int
	if _, err := fmt.Sscanf(string(data[:16]), "P4\n%d %d\n", &w, &h); err != nil {
		return 0, 0, err
	}
	head := bytes.IndexByte(data, '\n')
	head += 1 + bytes.IndexByte(data[head+1:], '\n') + 1
	for _, b := range data[head:] {
		black += bits.OnesCount8(b)
	}
	return black, w * h, nil
}

func main() {
	var black, pixels, bytesRead, heavy int
	for i := 1; i <= 24; i++ {
		data, err := readPoster(fmt.Sprintf("posters/p%d.pbm", i))
		if err != nil {
			log.Fatal(err)
		}
		b, p, err := ink(data)
		if err != nil {
			log.Fatal(err)
		}
		black += b
		pixels += p
		bytesRead += len(data)
		if b*2 > p {
			heavy++
		}
	}
	fmt.Printf("%d bytes, %d pixels\n", bytesRead, pixels)
	fmt.Printf("coverage %.2f %%, %d heavy posters\n", float64(black)*100/float64(pixels), heavy)
}
