// Desk of a flight of canal locks: boats passing are written down, questions are answered.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"
)

type desk struct {
	book   *os.File
	passed map[string][]string
	known  int
}

func (d *desk) pass(boat, lock string) string {
	if _, err := fmt.Fprintf(d.book, "%s through %s\n", boat, lock); err != nil {
		log.Fatal(err)
	}
	d.passed[lock] = append(d.passed[lock], boat)
	return "noted " + boat
}

func (d *desk) answer(what, lock string) string {
	d.known++
	boats := d.passed[lock]
	switch what {
	case "queue":
		return fmt.Sprintf("lock %s: %d passed", lock, len(boats))
	case "level":
		if len(boats)%2 == 1 {
			return "lock " + lock + ": high"
		}
		return "lock " + lock + ": low"
	}
	if len(boats) == 0 {
		return "lock " + lock + ": nobody yet"
	}
	return "lock " + lock + ": " + boats[len(boats)-1]
}

func (d *desk) handle(line string) string {
	words := strings.Fields(line)
	var reply string
	if words[0] == "pass" {
		reply = d.pass(words[1], words[2])
	} else {
		reply = d.answer(words[0], words[1])
	}
	if err := d.book.Sync(); err != nil {
		log.Fatal(err)
	}
	return reply
}

func main() {
	book, err := os.OpenFile("passages.log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0644)
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	in, err := os.Open("requests.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	d := &desk{book: book, passed: map[string][]string{}}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for sc := bufio.NewScanner(in); sc.Scan(); {
		fmt.Fprintln(out, d.handle(sc.Text()))
	}
	fmt.Fprintln(out, "questions answered:", d.known)
}
