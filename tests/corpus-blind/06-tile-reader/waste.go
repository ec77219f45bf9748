// Checks the tiles of a map archive, all of one size.
package main

import (
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"os"
)

const tileSize = 4096

type archive struct {
	f     *os.File
	tiles int64
}

func open(path string) (*archive, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &archive{f, st.Size() / tileSize}, nil
}

// tile reads tile number i.
func (a *archive) tile(i int64, buf []byte) error {
	if _, err := a.f.Seek(i*tileSize, io.SeekStart); err != nil {
		return err
	}
	_, err := io.ReadFull(a.f, buf)
	return err
}

func main() {
	a, err := open("map.tiles")
	if err != nil {
		log.Fatal(err)
	}
	defer a.f.Close()
	var sum uint32
	buf := make([]byte, tileSize)
	for i := int64(0); i < a.tiles; i++ {
		if err := a.tile(i, buf); err != nil {
			log.Fatal(err)
		}
		sum ^= crc32.ChecksumIEEE(buf) + uint32(i)
	}
	fmt.Printf("%d tiles, check %08x\n", a.tiles, sum)
}
