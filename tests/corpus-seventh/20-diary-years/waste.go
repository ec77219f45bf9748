package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

func year(n int) ([]byte, error) {
	name := filepath.Join("diary", strconv.Itoa(n)+".txt")
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

func miles(line []byte) int {
	at := bytes.Index(line, []byte("walked "))
	if at < 0 {
		return 0
	}
	word, _, _ := bytes.Cut(line[at+7:], []byte(" "))
	n, _ := strconv.Atoi(string(word))
	return n
}

func main() {
	total := 0
	for n := 1801; n <= 1816; n++ {
		text, err := year(n)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fair, walked := 0, 0
		for _, line := range bytes.Split(text, []byte("\n")) {
			if bytes.Contains(line, []byte("fair")) {
				fair++
			}
			walked += miles(line)
		}
		total += walked
		fmt.Printf("%d: %d fair days, %d miles\n", n, fair, walked)
	}
	fmt.Println("miles in all:", total)
}
