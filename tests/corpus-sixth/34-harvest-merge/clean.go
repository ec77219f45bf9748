// Merges the fields' harvest lists by week and tells the best weeks.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// spill keeps the merged rows out of memory while the weeks are summed.
func spill(paths []string) (*os.File, int, error) {
	tmp, err := os.CreateTemp("", "harvest-merge-*.csv")
	if err != nil {
		return nil, 0, err
	}
	w := bufio.NewWriterSize(tmp, 64<<10)
	rows := 0
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			return tmp, rows, err
		}
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			cell := strings.Split(line, ",")
			fmt.Fprintf(w, "%s,%s\n", cell[1], cell[2])
			rows++
		}
	}
	return tmp, rows, w.Flush()
}

func sumWeeks(r io.Reader) (map[int]int, error) {
	weeks := map[int]int{}
	in := bufio.NewScanner(r)
	for in.Scan() {
		week, kilos, _ := strings.Cut(in.Text(), ",")
		w, _ := strconv.Atoi(week)
		k, _ := strconv.Atoi(kilos)
		weeks[w] += k
	}
	return weeks, in.Err()
}

func main() {
	paths, _ := filepath.Glob("fields/*.csv")
	tmp, rows, err := spill(paths)
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		log.Fatal(err)
	}
	weeks, err := sumWeeks(tmp)
	if err != nil {
		log.Fatal(err)
	}
	order := make([]int, 0, len(weeks))
	for w := range weeks {
		order = append(order, w)
	}
	sort.Slice(order, func(a, b int) bool {
		return weeks[order[a]] > weeks[order[b]] || weeks[order[a]] == weeks[order[b]] && order[a] < order[b]
	})
	fmt.Println(len(paths), "fields,", rows, "rows,", len(weeks), "weeks")
	for _, w := range order[:3] {
		fmt.Printf("week %d: %d kg\n", w, weeks[w])
	}
}
