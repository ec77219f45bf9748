// Walks from word to word through a thesaurus of fixed size leaves.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

const leaf = 1024

type thesaurus struct {
	file *os.File
	buf  [leaf]byte
}

func (t *thesaurus) relatives(word int) ([]int, error) {
	if _, err := t.file.Seek(int64(word)*leaf, io.SeekStart); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(t.file, t.buf[:]); err != nil {
		return nil, err
	}
	_, rest, ok := strings.Cut(string(t.buf[:]), ": ")
	if !ok {
		return nil, fmt.Errorf("leaf %d is broken", word)
	}
	var list []int
	for _, f := range strings.Fields(strings.TrimRight(rest, ".\n")) {
		var n int
		if _, err := fmt.Sscanf(f, "w%d", &n); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func main() {
	file, err := os.Open("thesaurus.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	t := &thesaurus{file: file}
	visits := map[int]int{}
	word, self := 1, 0
	for step := 0; step < 50; step++ {
		list, err := t.relatives(word)
		if err != nil {
			log.Fatal(err)
		}
		for _, n := range list {
			if n == word {
				self++
			}
		}
		visits[word]++
		word = list[step%len(list)]
	}
	most, times := 0, 0
	for w, n := range visits {
		if n > times || n == times && w < most {
			most, times = w, n
		}
	}
	fmt.Printf("%d words visited, w%d %d times, %d name themselves, now at w%d\n", len(visits), most, times, self, word)
}
