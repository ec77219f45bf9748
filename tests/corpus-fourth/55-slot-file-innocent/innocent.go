// Keeps the settings of a radio in two slots that are written in turn.
package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"log"
	"os"
)

const slot = 8192

func main() {
	f, err := os.OpenFile("settings.slots", os.O_RDWR, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for n := uint64(1); n <= 6; n++ {
		buf := make([]byte, slot)
		binary.LittleEndian.PutUint64(buf[4:], n)
		for i := 12; i < slot; i++ {
			buf[i] = byte(uint64(i) * n)
		}
		binary.LittleEndian.PutUint32(buf, crc32.ChecksumIEEE(buf[4:]))
		if _, err := f.WriteAt(buf, int64(n%2)*slot); err != nil {
			log.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("6 settings kept")
}
