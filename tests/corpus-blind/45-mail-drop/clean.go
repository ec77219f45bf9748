// Takes mails (made up here) into a maildir and acknowledges each.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func store(id int, text string) error {
	name := fmt.Sprintf("%d.eml", id)
	tmp := filepath.Join("box/tmp", name)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp, filepath.Join("box/new", name)); err != nil {
		return err
	}
	dir, err := os.Open("box/new")
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func main() {
	for id := 1; id <= 5; id++ {
		text := fmt.Sprintf("From: a%d\nTo: b\n\nhello %d\n", id, id*id)
		if err := store(id, text); err != nil {
			log.Fatalf("451 %v", err)
		}
		fmt.Printf("250 stored %d\n", id)
	}
}
