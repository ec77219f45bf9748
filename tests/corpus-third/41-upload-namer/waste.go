package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type namer struct {
	dir string
}

func (n *namer) free(want string) (string, error) {
	entries, err := os.ReadDir(n.dir)
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, e := range entries {
		taken[e.Name()] = true
	}
	ext := filepath.Ext(want)
	stem := strings.TrimSuffix(want, ext)
	for v := 1; ; v++ {
		name := fmt.Sprintf("%s-%d%s", stem, v, ext)
		if !taken[name] {
			taken[name] = true
			return name, nil
		}
	}
}

func main() {
	list, err := os.ReadFile("incoming.txt")
	if err != nil {
		panic(err)
	}
	n := &namer{dir: "uploads"}
	last := ""
	for _, w := range bytes.Fields(list) {
		if last, err = n.free(string(w)); err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join("uploads", last), w, 0o644); err != nil {
			panic(err)
		}
	}
	fmt.Println("last:", last)
}
