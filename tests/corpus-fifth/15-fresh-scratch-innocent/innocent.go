// Renders the pages of a book; each page gets an empty scratch directory of the same name.
package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

const scratch = "scratch"

// render draws the layers of a page into scratch files and merges what it finds there.
func render(page, layers int) (int, error) {
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	for l := 0; l < layers; l++ {
		name := filepath.Join(scratch, fmt.Sprintf("layer%d-%d", page, l))
		if err := os.WriteFile(name, []byte(fmt.Sprintf("ink %d\n", page*l)), 0o600); err != nil {
			return 0, err
		}
	}
	found, err := os.ReadDir(scratch)
	if err != nil {
		return 0, err
	}
	size := 0
	for _, e := range found {
		data, err := os.ReadFile(filepath.Join(scratch, e.Name()))
		if err != nil {
			return 0, err
		}
		size += len(data)
	}
	return size, nil
}

func main() {
	f, err := os.Open("pages.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	pages, bytes := 0, 0
	for in := bufio.NewScanner(f); in.Scan(); {
		var page, layers int
		if _, err := fmt.Sscanf(in.Text(), "page %d %d", &page, &layers); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		n, err := render(page, layers)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		pages++
		bytes += n
	}
	fmt.Println(pages, "pages,", bytes, "bytes of ink")
}
