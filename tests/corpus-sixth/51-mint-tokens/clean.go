// Makes the door tokens of a guest house: one private file per guest.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

type guest struct{ name, room string }

func readGuests(path string) ([]guest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []guest
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, room, ok := strings.Cut(lines.Text(), " ")
		if ok {
			list = append(list, guest{name, room})
		}
	}
	return list, lines.Err()
}

func token(g guest) string {
	sum := sha256.Sum256([]byte("door:" + g.name + ":" + g.room))
	return hex.EncodeToString(sum[:12])
}

func store(dir string, g guest) error {
	path := filepath.Join(dir, g.name+".token")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(token(g) + "\n"); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func main() {
	syscall.Umask(0o022)
	guests, err := readGuests("guests.txt")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.Mkdir("tokens", 0o700); err != nil {
		log.Fatal(err)
	}
	rooms := map[string]int{}
	for _, g := range guests {
		if err := store("tokens", g); err != nil {
			log.Fatal(err)
		}
		rooms[g.room]++
	}
	fmt.Printf("%d tokens for %d rooms\n", len(guests), len(rooms))
	fmt.Println("first:", token(guests[0]))
}
