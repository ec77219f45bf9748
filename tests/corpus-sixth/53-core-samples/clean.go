// Reads the headers of the drill core files.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

const headerSize = 34

type core struct {
	nr, depth, layers int
}

// readHead reads the first n bytes.
func readHead(path string, n int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, n)
	_, err = io.ReadFull(f, buf)
	return buf, err
}

func parse(head string) (core, error) {
	var c core
	line, _, _ := strings.Cut(head, "\n")
	_, err := fmt.Sscanf(line, "CORE %d depth %d layers %d", &c.nr, &c.depth, &c.layers)
	return c, err
}

func main() {
	paths, err := filepath.Glob("cores/*.dat")
	if err != nil {
		log.Fatal(err)
	}
	var deepest core
	layers := 0
	for _, p := range paths {
		head, err := readHead(p, headerSize)
		if err != nil {
			log.Fatalf("%s: %v", p, err)
		}
		c, err := parse(string(head))
		if err != nil {
			log.Fatalf("%s: %v", p, err)
		}
		layers += c.layers
		if c.depth > deepest.depth {
			deepest = c
		}
	}
	fmt.Printf("%d cores, %d layers\n", len(paths), layers)
	fmt.Printf("deepest: core %d at %d cm\n", deepest.nr, deepest.depth)
}
