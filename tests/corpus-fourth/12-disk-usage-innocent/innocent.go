// Command disk-usage adds up the sizes of a vault of hard links, each inode once.
package main

import (
	"fmt"
	"io/fs"
	"log"
	"path/filepath"
	"syscall"
)

func main() {
	seen := map[uint64]bool{}
	var apparent, real int64
	err := filepath.WalkDir("vault", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		apparent += info.Size()
		st := info.Sys().(*syscall.Stat_t)
		if st.Nlink > 1 && seen[st.Ino] {
			return nil
		}
		seen[st.Ino] = true
		real += info.Size()
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("apparent %d, real %d, %d inodes\n", apparent, real, len(seen))
}
