// Reports the range and the length of a recorded performance.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
)

type event struct {
	delta             uint16
	status, key, velo uint8
}

func next(r io.Reader) (e event, err error) {
	for _, field := range []any{&e.delta, &e.status, &e.key, &e.velo} {
		if err = binary.Read(r, binary.LittleEndian, field); err != nil {
			return
		}
	}
	return
}

func main() {
	f, err := os.Open("song.evt")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	low, high, notes, ticks := 127, 0, 0, 0
	for {
		e, err := next(f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		ticks += int(e.delta)
		if e.status == 0x90 && e.velo > 0 {
			notes++
			low, high = min(low, int(e.key)), max(high, int(e.key))
		}
	}
	fmt.Printf("%d notes from %d to %d in %d ticks\n", notes, low, high, ticks)
}
