package main

import (
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

const shelf = "luthier/stock/bowed/viola/strings/gut"

type Gauge struct {
	Note   string
	Millis float64
	Metres int
}

func parse(text string) (g Gauge, err error) {
	_, err = fmt.Sscanf(text, "%s %f mm %d m", &g.Note, &g.Millis, &g.Metres)
	return g, err
}

func load() ([]Gauge, error) {
	root, err := os.OpenRoot(shelf)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var gauges []Gauge
	for _, name := range names {
		if !strings.HasSuffix(name, ".gut") {
			continue
		}
		f, err := root.Open(name)
		if err != nil {
			return nil, err
		}
		text := make([]byte, 64)
		n, err := f.Read(text)
		f.Close()
		if err != nil && err != io.EOF {
			return nil, err
		}
		g, err := parse(string(text[:n]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		gauges = append(gauges, g)
	}
	return gauges, nil
}

func main() {
	gauges, err := load()
	if err != nil {
		fmt.Println("stock:", err)
		os.Exit(1)
	}
	metres := map[string]int{}
	thinnest := gauges[0]
	for _, g := range gauges {
		metres[g.Note] += g.Metres
		if g.Millis < thinnest.Millis {
			thinnest = g
		}
	}
	for _, note := range []string{"A", "D", "G", "C"} {
		fmt.Printf("%s: %d m\n", note, metres[note])
	}
	fmt.Printf("%d reels, thinnest %.3f mm\n", len(gauges), thinnest.Millis)
}
