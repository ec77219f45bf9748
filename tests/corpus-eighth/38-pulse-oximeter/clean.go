// Makes the report of a night from the samples of a finger clip (saturation, pulse).
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
)

type hour struct {
	n, low, saturation, pulse int
}

func read(path string) ([]hour, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var hours []hour
	i := 0
	for sc := bufio.NewScanner(f); sc.Scan(); i++ {
		var s, p int
		if _, err := fmt.Sscan(sc.Text(), &s, &p); err != nil {
			return nil, err
		}
		if i%60 == 0 {
			hours = append(hours, hour{low: 100})
		}
		h := &hours[len(hours)-1]
		h.n++
		h.saturation += s
		h.pulse += p
		h.low = min(h.low, s)
	}
	return hours, nil
}

func report(w io.Writer, hours []hour) {
	fmt.Fprintln(w, "REPORT OF THE NIGHT")
	for i, h := range hours {
		fmt.Fprintf(w, "hour %d\n", i+1)
		fmt.Fprintf(w, "  saturation %d %%\n", h.saturation/h.n)
		fmt.Fprintf(w, "  lowest     %d %%\n", h.low)
		fmt.Fprintf(w, "  pulse      %d\n", h.pulse/h.n)
	}
	fmt.Fprintln(w, "END")
}

func save(path string, hours []hour) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_SYNC, 0644)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	report(w, hours)
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func main() {
	hours, err := read("samples.txt")
	if err != nil {
		log.Fatal(err)
	}
	if err := save("night.txt", hours); err != nil {
		log.Fatal(err)
	}
	worst := 0
	for i, h := range hours {
		if h.saturation < hours[worst].saturation {
			worst = i
		}
	}
	fmt.Printf("%d hours, worst hour %d with %d %%\n", len(hours), worst+1, hours[worst].saturation/hours[worst].n)
}
