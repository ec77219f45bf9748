package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

var trees = []string{"alder", "birch", "pine", "heather"}

type slide struct {
	site  string
	depth int
	count map[string]int
}

func parse(text string) slide {
	s := slide{count: map[string]int{}}
	for _, line := range strings.Split(text, "\n") {
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		switch key {
		case "site":
			s.site = strings.Clone(value)
		case "depth":
			s.depth, _ = strconv.Atoi(value)
		case "alder", "birch", "pine", "heather":
			s.count[strings.Clone(key)], _ = strconv.Atoi(value)
		}
	}
	return s
}

func load(path string) (slide, error) {
	f, err := os.Open(path)
	if err != nil {
		return slide{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return slide{}, err
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return slide{}, err
	}
	defer syscall.Munmap(data)
	return parse(string(data)), nil
}

func main() {
	sum := map[string]int{}
	sites := map[string]int{}
	deepest := 0
	for i := 1; i <= 56; i++ {
		s, err := load(fmt.Sprintf("slides/s%d.txt", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		sites[s.site]++
		deepest = max(deepest, s.depth)
		for tree, n := range s.count {
			sum[tree] += n
		}
	}
	fmt.Printf("56 slides from %d sites, down to %d cm\n", len(sites), deepest)
	for _, tree := range trees {
		fmt.Printf("%-8s %5d grains\n", tree, sum[tree])
	}
}
