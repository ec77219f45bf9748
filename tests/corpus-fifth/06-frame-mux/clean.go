// Interleaves camera and sound frames into one container file.
package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
)

type muxer struct {
	out   *os.File
	end   int64
	table []int64
}

func (m *muxer) add(kind byte, payload []byte) error {
	rec := make([]byte, 0, 9+len(payload))
	rec = append(rec, kind)
	rec = binary.LittleEndian.AppendUint32(rec, uint32(len(payload)))
	rec = binary.LittleEndian.AppendUint32(rec, crc32.ChecksumIEEE(payload))
	rec = append(rec, payload...)
	n, err := m.out.Write(rec)
	if err != nil {
		return err
	}
	m.table = append(m.table, m.end)
	m.end += int64(n)
	return nil
}

func frame(i, size int) []byte {
	b := make([]byte, size)
	for k := range b {
		b[k] = byte(k*7 + i*13)
	}
	return b
}

func main() {
	f, err := os.Create("session.mux")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	m := &muxer{out: f}
	for i := 0; i < 90; i++ {
		if err := m.add('v', frame(i, 5000+i*31)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := m.add('a', frame(i, 4200)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := f.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(len(m.table), "frames, the last at", m.table[len(m.table)-1])
	fmt.Println("frame 10 at", m.table[10], "frame 99 at", m.table[99])
}
