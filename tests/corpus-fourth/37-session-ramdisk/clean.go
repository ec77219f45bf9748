// Warms the RAM disk of a shop with the sessions that were saved at shutdown.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
)

func copyFile(from, to string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return n, err
}

func moveFile(from, to string) (int64, error) {
	n, err := copyFile(from, to)
	if err != nil {
		return 0, err
	}
	return n, os.Remove(from)
}

func main() {
	ram, err := os.MkdirTemp("/dev/shm", "sessions")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(ram)
	saved, err := os.ReadDir("sessions")
	if err != nil {
		log.Fatal(err)
	}
	var total int64
	for _, e := range saved {
		n, err := moveFile(filepath.Join("sessions", e.Name()), filepath.Join(ram, e.Name()))
		if err != nil {
			log.Print(err)
			return
		}
		total += n
	}
	fmt.Println(len(saved), "sessions,", total, "bytes")
}
