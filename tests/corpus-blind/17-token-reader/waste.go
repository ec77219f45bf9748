// Counts the words of a document.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
)

type scanner struct {
	in io.Reader
}

// word returns the next word, or "" at the end.
func (s *scanner) word() (string, error) {
	var word []byte
	one := make([]byte, 1)
	for {
		_, err := io.ReadFull(s.in, one)
		if err == io.EOF {
			return string(word), nil
		}
		if err != nil {
			return "", err
		}
		if one[0] == ' ' || one[0] == '\n' {
			if len(word) > 0 {
				return string(word), nil
			}
			continue
		}
		word = append(word, one[0])
	}
}

func main() {
	f, err := os.Open("doc.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	s := &scanner{f}
	counts := map[string]int{}
	total := 0
	for {
		w, err := s.word()
		if err != nil {
			log.Fatal(err)
		}
		if w == "" {
			break
		}
		counts[w]++
		total++
	}
	fmt.Printf("%d words, %d different, word3 %d times\n", total, len(counts), counts["word3"])
}
