package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type bed struct {
	name          string
	width, length int
}

// faults tells how many pages the process has been given so far.
func faults() (int, error) {
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, err
	}
	text := string(raw)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	return strconv.Atoi(fields[7])
}

// grow simulates the kelp of one bed, cell by cell.
func grow(b bed) int {
	cells := make([]byte, b.width*b.length*4096)
	mass := 0
	for i := 0; i < len(cells); i += 512 {
		cells[i] = byte(i >> 9)
		mass += int(cells[i] & 3)
	}
	return mass
}

func main() {
	f, err := os.Open("beds.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	last, err := faults()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	beds, mass, fell := 0, 0, 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var b bed
		fmt.Sscanf(lines.Text(), "%s %d %d", &b.name, &b.width, &b.length)
		mass += grow(b)
		now, err := faults()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if now < last {
			fell++
		}
		last = now
		beds++
	}
	fmt.Printf("%d beds, mass %d\n", beds, mass)
	fmt.Printf("page faults measured %d times, fell %d times, some at all: %v\n", beds, fell, last > 0)
}
