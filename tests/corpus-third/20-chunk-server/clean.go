package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

type store struct{ root string }

func (s store) get(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.root, name))
}

func main() {
	s := store{"objects"}
	h := sha256.New()
	total := 0
	for i := 0; i < 10; i++ {
		b, err := s.get(fmt.Sprintf("o%d", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		h.Write(b)
		total += len(b)
	}
	fmt.Printf("%d bytes %x\n", total, h.Sum(nil)[:6])
}
