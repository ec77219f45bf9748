package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type template struct {
	place      string
	arch, ribs int
}

func load(place string) (template, error) {
	t := template{place: place}
	text, err := os.ReadFile(place)
	if err != nil {
		return t, err
	}
	_, err = fmt.Sscanf(string(text), "arch %d ribs %d", &t.arch, &t.ribs)
	return t, err
}

func main() {
	folder := filepath.Join("workshop", "maker", "current", "violins", "moulds")
	entries, err := os.ReadDir(folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := map[string]bool{}
	arches := map[int]int{}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !strings.HasSuffix(entry.Name(), ".tpl") {
			continue
		}
		place, err := filepath.EvalSymlinks(filepath.Join(folder, entry.Name()))
		if err != nil {
			fmt.Println(err)
			continue
		}
		if seen[place] {
			continue
		}
		seen[place] = true
		t, err := load(place)
		if err != nil {
			fmt.Println(err)
			continue
		}
		arches[t.arch]++
		if t.ribs == 28 {
			fmt.Println("thin ribs:", t.place)
		}
	}
	for arch := 140; arch < 150; arch++ {
		if arches[arch] > 0 {
			fmt.Printf("arch %d: %d templates\n", arch, arches[arch])
		}
	}
}
