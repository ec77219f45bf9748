package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type meter struct {
	f    *os.File
	done int64
	last int
	tick int
}

func (m *meter) add(n int) {
	m.done += int64(n)
	fi, err := m.f.Stat()
	if err != nil || fi.Size() == 0 {
		return
	}
	pct := int(m.done * 100 / fi.Size())
	if pct/10 != m.last {
		m.last = pct / 10
		m.tick++
	}
}

func main() {
	f, err := os.Open("people.csv")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	m := &meter{f: f}
	minors := 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		col := strings.Split(sc.Text(), ",")
		if len(col) == 3 && len(col[2]) == 1 {
			minors++
		}
		m.add(len(sc.Text()) + 1)
	}
	fmt.Println(minors, "minors,", m.tick, "ticks")
}
