// Lists the treadmill cranes of a harbour and what they can lift.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type crane struct {
	name        string
	load, wheel int
}

func readPlate(dir string) (crane, error) {
	c := crane{name: filepath.Base(dir)}
	text, err := os.ReadFile(filepath.Join(dir, "plate.txt"))
	if err != nil {
		return c, err
	}
	for _, line := range strings.Split(string(text), "\n") {
		fmt.Sscanf(line, "load %d", &c.load)
		fmt.Sscanf(line, "wheel %d", &c.wheel)
	}
	return c, nil
}

func findCranes(root string) ([]crane, int, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, 0, err
	}
	var cranes []crane
	papers := 0
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if !e.IsDir() {
			papers++
			continue
		}
		c, err := readPlate(path)
		if err != nil {
			return nil, 0, err
		}
		cranes = append(cranes, c)
	}
	return cranes, papers, nil
}

func main() {
	cranes, papers, err := findCranes("cranes")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	total, best := 0, cranes[0]
	for _, c := range cranes {
		total += c.load * c.wheel
		if c.load > best.load {
			best = c
		}
	}
	fmt.Printf("%d cranes lift %d in all, %d papers\n", len(cranes), total, papers)
	fmt.Printf("strongest: %s with %d\n", best.name, best.load)
}
