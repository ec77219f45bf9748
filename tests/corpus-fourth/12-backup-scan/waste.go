// Command backup-scan counts what a backup of the homes will have to do.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

type plan struct {
	dirs, files, names int
}

func (p *plan) scan(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		p.names += len(full)
		info, err := os.Stat(full)
		if err != nil {
			return err
		}
		if info.IsDir() {
			p.dirs++
			if err := p.scan(full); err != nil {
				return err
			}
		} else if info.Mode().IsRegular() {
			p.files++
		}
	}
	return nil
}

func main() {
	var p plan
	if err := p.scan("home"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d directories, %d files, table of %d bytes\n", p.dirs, p.files, p.names)
}
