package main

import (
	"fmt"
	"io"
	"os"
)

func add(img *os.File, name string) (int64, error) {
	f, err := os.Open("blobs/" + name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(img, f)
}

func main() {
	img, err := os.Create("fw.img")
	if err != nil {
		panic(err)
	}
	off := int64(0)
	for _, part := range []string{"boot", "kernel", "root", "data"} {
		n, err := add(img, part)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%-8s %8d +%d\n", part, off, n)
		off += n
	}
	if err := img.Close(); err != nil {
		panic(err)
	}
}
