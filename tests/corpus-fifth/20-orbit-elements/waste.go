// Finds the satellites of highest inclination in a set of orbital element files.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
)

type sat struct {
	id   int
	incl float64
}

func load(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func highest(data []byte) (best sat, count int) {
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		fields := bytes.Fields(line)
		if len(fields) < 3 {
			continue
		}
		id, _ := strconv.Atoi(string(fields[0]))
		incl, _ := strconv.ParseFloat(string(fields[1]), 64)
		count++
		if incl > best.incl {
			best = sat{id, incl}
		}
	}
	return best, count
}

func main() {
	var top sat
	total, size := 0, 0
	for i := 1; i <= 24; i++ {
		data, err := load(fmt.Sprintf("tle/set%02d.txt", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		best, n := highest(data)
		total += n
		size += len(data)
		if best.incl > top.incl {
			top = best
		}
	}
	fmt.Println(total, "element sets,", size, "bytes")
	fmt.Printf("highest: satellite %d at %.4f\n", top.id, top.incl)
}
