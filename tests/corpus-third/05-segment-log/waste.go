package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// segment is one file of an append-only log; index maps key -> offset.
type segment struct {
	f     *os.File
	index map[string]int64
	size  int64
}

func create(path string) (*segment, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	return &segment{f: f, index: map[string]int64{}}, nil
}

func (s *segment) put(key string, val []byte) error {
	off, err := s.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	rec := binary.BigEndian.AppendUint16(nil, uint16(len(key)))
	rec = binary.BigEndian.AppendUint16(rec, uint16(len(val)))
	rec = append(append(rec, key...), val...)
	if _, err := s.f.Write(rec); err != nil {
		return err
	}
	s.index[key] = off
	s.size += int64(len(rec))
	return nil
}

func main() {
	s, err := create("seg-0001.log")
	if err != nil {
		panic(err)
	}
	val := make([]byte, 5000)
	for i := 0; i < 200; i++ {
		if err := s.put(fmt.Sprintf("key-%d", i%150), val[:4000+i]); err != nil {
			panic(err)
		}
	}
	if err := s.f.Close(); err != nil {
		panic(err)
	}
	fmt.Println(len(s.index), s.size, s.index["key-149"])
}
