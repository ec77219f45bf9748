package main

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

type impression struct {
	number int
	size   int64
	sum    uint32
}

func read(number int) (impression, error) {
	imp := impression{number: number}
	path := fmt.Sprintf("wax/seal%d.imp", number)
	f, err := os.Open(path)
	if err != nil {
		return imp, err
	}
	defer f.Close()
	info, err := os.Stat(path)
	if err != nil {
		return imp, err
	}
	imp.size = info.Size()
	data := make([]byte, imp.size)
	if _, err := io.ReadFull(f, data); err != nil {
		return imp, err
	}
	imp.sum = crc32.ChecksumIEEE(data)
	return imp, nil
}

func main() {
	var all uint32
	var bytes int64
	var widest impression
	for n := 1; n <= 30; n++ {
		imp, err := read(n)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		all ^= imp.sum
		bytes += imp.size
		if imp.size > widest.size {
			widest = imp
		}
	}
	fmt.Printf("30 impressions, %d bytes, widest is %d\n", bytes, widest.number)
	fmt.Printf("common sum %08x\n", all)
}
