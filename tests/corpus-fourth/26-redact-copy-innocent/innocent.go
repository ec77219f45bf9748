// Copies chat logs for publication with the addresses of the users blacked out.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
)

var address = regexp.MustCompile(`[\w.]+@[\w.]+`)

func redact(from, to string) (int, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(out)
	found := 0
	sc := bufio.NewScanner(in)
	for sc.Scan() {
		clean := address.ReplaceAllStringFunc(sc.Text(), func(string) string { found++; return "[address]" })
		fmt.Fprintln(w, clean)
	}
	if err := sc.Err(); err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return found, out.Close()
}

func main() {
	rooms, _ := filepath.Glob("chats/*.txt")
	total := 0
	for _, r := range rooms {
		n, err := redact(r, filepath.Join("public", filepath.Base(r)))
		if err != nil {
			log.Fatal(err)
		}
		total += n
	}
	fmt.Println(len(rooms), "rooms,", total, "addresses")
}
