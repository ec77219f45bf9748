// Sets a line of text: the width of each glyph is in its outline in the font file.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"strings"
)

const outline = 320

type font struct{ f *os.File }

func (t font) width(glyph byte, buf []byte) (int, error) {
	if _, err := t.f.ReadAt(buf, int64(glyph)*outline); err != nil {
		return 0, err
	}
	return int(binary.BigEndian.Uint16(buf)), nil
}

func main() {
	f, err := os.Open("serif.fnt")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	t := font{f}
	text := strings.Repeat("Sphinx of black quartz, judge my vow. 0123456789 now", 5)[:220]
	total, widest := 0, byte(0)
	buf := make([]byte, outline)
	best := 0
	for i := 0; i < len(text); i++ {
		w, err := t.width(text[i], buf)
		if err != nil {
			log.Fatal(err)
		}
		total += w
		if w > best {
			best, widest = w, text[i]
		}
	}
	fmt.Printf("%d units, widest %q with %d\n", total, widest, best)
}
