package main

import (
	"fmt"
	"os"
	"path"
	"strings"
)

type pkg struct {
	dir   string
	files []string
}

func walk(dir string, found *[]pkg) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	p := pkg{dir: dir}
	for _, e := range entries {
		if e.IsDir() {
			if err := walk(path.Join(dir, e.Name()), found); err != nil {
				return err
			}
			continue
		}
		if strings.HasSuffix(e.Name(), ".go") {
			p.files = append(p.files, e.Name())
		}
	}
	if len(p.files) > 0 {
		*found = append(*found, p)
	}
	return nil
}

func main() {
	var found []pkg
	if err := walk("repo", &found); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, p := range found {
		fmt.Println(p.dir, len(p.files))
	}
}
