// Writes a table of mooring charts, each under the real path of its file.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const folder = "atlas/series2/harbours"

type chart struct {
	path         string
	buoys, depth int
}

func load(path string) (chart, error) {
	c := chart{path: path}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	for _, line := range strings.Split(string(text), "\n") {
		fmt.Sscanf(line, "buoys %d", &c.buoys)
		fmt.Sscanf(line, "depth %d", &c.depth)
	}
	return c, nil
}

func charts() ([]chart, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []chart
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		path, err := filepath.EvalSymlinks(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		c, err := load(path)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func main() {
	all, err := charts()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var table strings.Builder
	buoys, shallow := 0, 0
	for _, c := range all {
		fmt.Fprintf(&table, "%s\t%d\t%d\n", c.path, c.buoys, c.depth)
		buoys += c.buoys
		if c.depth < 5 {
			shallow++
		}
	}
	if err := os.WriteFile("moorings.tsv", []byte(table.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d charts, %d buoys, %d shallow\n", len(all), buoys, shallow)
}
