// Builds the parts of a release and moves them into releases/.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"syscall"
)

// move renames a file, or copies it where that cannot be.
func move(from, to string) error {
	err := os.Rename(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Remove(from)
}

func main() {
	if err := os.MkdirAll("releases", 0o755); err != nil {
		log.Fatal(err)
	}
	work, err := os.MkdirTemp("releases", ".building-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(work)
	var size int64
	for i := 0; i < 20; i++ {
		name := fmt.Sprintf("part%d.tgz", i)
		data := bytes.Repeat([]byte(name), 4000)
		if err := os.WriteFile(filepath.Join(work, name), data, 0o644); err != nil {
			log.Fatal(err)
		}
		final := filepath.Join("releases", name)
		if err := move(filepath.Join(work, name), final); err != nil {
			log.Fatal(err)
		}
		size += int64(len(data))
	}
	fmt.Printf("20 parts, %d bytes released\n", size)
}
