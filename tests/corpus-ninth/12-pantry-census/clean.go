package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// An item is a file whose name ends in the number of pieces.
type shelf struct {
	path          string
	items, pieces int
}

func pieces(name string) int {
	at := strings.LastIndexByte(name, '-')
	if at < 0 {
		return 1
	}
	n, err := strconv.Atoi(name[at+1:])
	if err != nil {
		return 1
	}
	return n
}

func census(dir string, found *[]shelf) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	here := shelf{path: dir}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if err := census(path, found); err != nil {
				return err
			}
			continue
		}
		here.items++
		here.pieces += pieces(e.Name())
	}
	*found = append(*found, here)
	return nil
}

func main() {
	var shelves []shelf
	if err := census("pantry", &shelves); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sort.Slice(shelves, func(i, j int) bool { return shelves[i].path < shelves[j].path })
	total := 0
	for _, s := range shelves {
		fmt.Printf("%-22s %3d kinds %4d pieces\n", s.path, s.items, s.pieces)
		total += s.pieces
	}
	fmt.Printf("%d shelves, %d pieces\n", len(shelves), total)
}
