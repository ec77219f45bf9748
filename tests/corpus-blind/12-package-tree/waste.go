// Counts packages and their files in a tree of installed modules.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
)

type counts struct{ dirs, files, libs int }

func walk(dir string, c *counts) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			c.dirs++
			if err := walk(path, c); err != nil {
				return err
			}
			continue
		}
		c.files++
		if filepath.Ext(path) == ".so" {
			c.libs++
		}
	}
	return nil
}

func main() {
	var c counts
	if err := walk("modules", &c); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d directories, %d files, %d libraries\n", c.dirs, c.files, c.libs)
}
