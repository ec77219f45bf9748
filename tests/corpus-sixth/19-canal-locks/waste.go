// Statistics of the passages that the locks of a canal have recorded.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"os"
)

func readRecord(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	buf.Grow(int(st.Size()) + bytes.MinRead)
	if _, err := buf.ReadFrom(f); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func main() {
	var passages, boats, night int
	busiest, most := 0, 0
	for n := 1; n <= 68; n++ {
		data, err := readRecord(fmt.Sprintf("locks/%d.rec", n))
		if err != nil {
			log.Fatal(err)
		}
		lock := int(binary.LittleEndian.Uint16(data))
		here := 0
		for p := data[2:]; len(p) >= 4; p = p[4:] {
			minute := binary.LittleEndian.Uint16(p)
			b := int(binary.LittleEndian.Uint16(p[2:]))
			passages++
			here += b
			if minute < 360 || minute > 1320 {
				night += b
			}
		}
		boats += here
		if here > most {
			busiest, most = lock, here
		}
	}
	fmt.Printf("%d passages, %d boats, %d at night\n", passages, boats, night)
	fmt.Printf("busiest lock %d with %d boats\n", busiest, most)
}
