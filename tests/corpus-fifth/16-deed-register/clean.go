// Lists the deeds of a land register under their real paths, so that each is counted once.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func deeds(dir string) (map[string]string, error) {
	base, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil, err
	}
	real := make(map[string]string)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".txt") {
			continue
		}
		p := filepath.Join(base, e.Name())
		if e.Type()&fs.ModeSymlink != 0 {
			if p, err = filepath.EvalSymlinks(p); err != nil {
				return nil, err
			}
		}
		real[p] = e.Name()
	}
	return real, nil
}

func main() {
	real, err := deeds("register/current/deeds")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	paths := make([]string, 0, len(real))
	for p := range real {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	elsewhere := 0
	for _, p := range paths {
		if filepath.Base(p) != real[p] {
			elsewhere++
			fmt.Printf("%s is kept as %s\n", real[p], p)
		}
	}
	fmt.Println("first", paths[0])
	fmt.Println(len(paths), "deeds,", elsewhere, "kept elsewhere")
}
