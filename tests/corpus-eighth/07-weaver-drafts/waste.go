// Summary of a folder of weaving drafts: shafts and threads.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	_, err = io.ReadFull(f, data)
	return data, err
}

func main() {
	entries, err := os.ReadDir("drafts")
	if err != nil {
		log.Fatal(err)
	}
	threads := map[int]int{}
	largest, bytes := "", 0
	for _, e := range entries {
		data, err := load(filepath.Join("drafts", e.Name()))
		if err != nil {
			log.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		var n, shafts int
		if _, err := fmt.Sscanf(lines[0], "draft %d shafts %d", &n, &shafts); err != nil {
			log.Fatal(err)
		}
		threads[shafts] += len(lines) - 1
		if len(data) > bytes {
			largest, bytes = e.Name(), len(data)
		}
	}
	for shafts := 2; shafts <= 8; shafts += 2 {
		fmt.Printf("%d shafts: %d threads\n", shafts, threads[shafts])
	}
	fmt.Printf("%d drafts, largest %s\n", len(entries), largest)
}
