// Writes a save game: one section for each region of the map and a directory of sections at the end.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"os"
)

type section struct {
	Region uint32
	Offset int64
	Length int64
}

type saver struct {
	f   *os.File
	dir []section
}

func (s *saver) add(region int, data []byte) error {
	at, err := s.f.Seek(0, 1)
	if err != nil {
		return err
	}
	if _, err := s.f.Write(data); err != nil {
		return err
	}
	s.dir = append(s.dir, section{uint32(region), at, int64(len(data))})
	return nil
}

func terrain(region int) []byte {
	b := make([]byte, 5000+region*97)
	for i := range b {
		b[i] = byte(i*region ^ i>>5)
	}
	return b
}

func main() {
	f, err := os.Create("slot1.sav")
	if err != nil {
		log.Fatal(err)
	}
	s := &saver{f: f}
	for region := 0; region < 64; region++ {
		if err := s.add(region, terrain(region)); err != nil {
			log.Fatal(err)
		}
	}
	var dir bytes.Buffer
	binary.Write(&dir, binary.LittleEndian, s.dir)
	if _, err := f.Write(dir.Bytes()); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	last := s.dir[len(s.dir)-1]
	fmt.Printf("%d sections, last at %d, directory of %d bytes\n", len(s.dir), last.Offset, dir.Len())
}
