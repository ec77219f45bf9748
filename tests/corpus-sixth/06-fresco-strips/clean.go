// Mean brightness of each strip of a scanned fresco, and the strips that need cleaning.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
)

const (
	stripRows  = 16
	rowBytes   = 1024
	stripBytes = stripRows * rowBytes
)

type scan struct {
	f *os.File
}

func (s *scan) strip(i int, buf []byte) error {
	_, err := io.ReadFull(s.f, buf)
	return err
}

func mean(buf []byte) float64 {
	var sum int
	for _, b := range buf {
		sum += int(b)
	}
	return float64(sum) / float64(len(buf))
}

func main() {
	f, err := os.Open("fresco.raw")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	strips := int(st.Size() / stripBytes)

	s := &scan{f: f}
	buf := make([]byte, stripBytes)
	var total float64
	dark, contrast := 0, 0
	for i := 0; i < strips; i++ {
		if err := s.strip(i, buf); err != nil {
			log.Fatalf("strip %d: %v", i, err)
		}
		top, bottom := mean(buf[:stripBytes/2]), mean(buf[stripBytes/2:])
		total += (top + bottom) / 2
		if top < 60 {
			dark++
		}
		if bottom-top > 80 {
			contrast++
		}
	}
	fmt.Printf("%d strips, mean %.2f\n", strips, total/float64(strips))
	fmt.Printf("%d dark, %d with contrast\n", dark, contrast)
}
