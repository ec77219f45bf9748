package main

import (
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strings"
	"time"
)

const limit = 800

type row struct {
	name string
	size int64
	mode fs.FileMode
	time time.Time
}

func rows(dir string) ([]row, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []row
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		all = append(all, row{e.Name(), info.Size(), info.Mode().Perm(), info.ModTime().UTC()})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].time.After(all[j].time) })
	return all, nil
}

func main() {
	all, err := rows("quay")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var list strings.Builder
	var sum int64
	large, closed := 0, 0
	for _, r := range all {
		fmt.Fprintf(&list, "%s %6d %s %s\n", r.mode, r.size, r.time.Format("2006-01-02"), r.name)
		sum += r.size
		if r.size > limit {
			large++
		}
		if r.mode&0o044 == 0 {
			closed++
		}
	}
	if err := os.WriteFile("listing.txt", []byte(list.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d logs, %d bytes, newest %s\n", len(all), sum, all[0].name)
	fmt.Printf("%d above %d bytes, %d not for others\n", large, limit, closed)
}
