// Draws a height profile for each portage of a canoe route and packs them all.
package main

import (
	"fmt"
	"hash/crc32"
	"log"
	"os"
	"strings"
)

func profile(name string, metres int) []byte {
	rows := make([]string, 0, 40)
	for y := 0; y < 40; y++ {
		w := (metres*(y+3) + len(name)*y*y) % 70
		rows = append(rows, strings.Repeat("#", w)+strings.Repeat(".", 70-w))
	}
	return []byte(strings.Join(rows, "\n") + "\n")
}

func main() {
	route, err := os.ReadFile("route.txt")
	if err != nil {
		log.Fatal(err)
	}
	pack, err := os.Create("portages.pack")
	if err != nil {
		log.Fatal(err)
	}
	var toc strings.Builder
	sum, count := uint32(0), 0
	var at int64
	for _, line := range strings.Split(strings.TrimSpace(string(route)), "\n") {
		var name string
		var metres int
		fmt.Sscan(line, &name, &metres)
		picture := profile(name, metres)
		if _, err := pack.Write(picture); err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(&toc, "%s %d %d\n", name, at, len(picture))
		at += int64(len(picture))
		sum ^= crc32.ChecksumIEEE(picture)
		count++
	}
	if err := pack.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("portages.toc", []byte(toc.String()), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d portages packed, check %08x\n", count, sum)
}
