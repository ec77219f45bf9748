// Loads the tunes of a carillon and finds the one with the longest playing time.
package main

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

type tune struct {
	name  string
	tempo int
	notes string
}

func (t tune) seconds() float64 { return float64(len(t.notes)) * 60 / float64(t.tempo) }

func load(name string) (tune, error) {
	t := tune{name: name}
	f, err := os.Open(name)
	if err != nil {
		return t, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return t, err
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(st.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return t, err
	}
	defer syscall.Munmap(data)
	if !bytes.HasPrefix(data, []byte("CHM ")) {
		return t, fmt.Errorf("%s: not a tune", name)
	}
	_, err = fmt.Sscanf(string(data), "CHM tempo=%d notes=%s", &t.tempo, &t.notes)
	return t, err
}

func main() {
	var longest tune
	count := map[rune]int{}
	total := 0.0
	for i := 1; i <= 60; i++ {
		t, err := load(fmt.Sprintf("tunes/t%02d.chm", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, n := range t.notes {
			count[n]++
		}
		total += t.seconds()
		if t.seconds() > longest.seconds() {
			longest = t
		}
	}
	fmt.Printf("longest %s: %.1f s of %s\n", longest.name, longest.seconds(), longest.notes)
	fmt.Printf("%.1f s in all, %d times C, %d times G\n", total, count['C'], count['G'])
}
