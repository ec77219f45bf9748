package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

type lane struct {
	name    string
	bytes   int64
	points  int
	shallow float64
}

func load(path string) ([]byte, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, info.Size(), err
}

func survey(path string) (lane, error) {
	l := lane{name: filepath.Base(path), shallow: 1e9}
	data, size, err := load(path)
	if err != nil {
		return l, err
	}
	l.bytes = size
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var at int
		var depth float64
		if _, err := fmt.Sscanf(lines.Text(), "%d %f", &at, &depth); err != nil {
			return l, err
		}
		l.points++
		l.shallow = min(l.shallow, depth)
	}
	return l, lines.Err()
}

func main() {
	points, bytes := 0, int64(0)
	var worst lane
	for i := 1; i <= 20; i++ {
		l, err := survey(fmt.Sprintf("soundings/lane%d.txt", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%-11s %6d bytes %5d points, least %.1f\n", l.name, l.bytes, l.points, l.shallow)
		points += l.points
		bytes += l.bytes
		if worst.name == "" || l.shallow < worst.shallow {
			worst = l
		}
	}
	fmt.Printf("%d points in %d bytes, shallowest lane %s\n", points, bytes, worst.name)
}
