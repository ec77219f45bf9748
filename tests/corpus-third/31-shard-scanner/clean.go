package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func scan(dir string, n int, want string) (int, error) {
	f, err := os.Open(filepath.Join(dir, fmt.Sprintf("s%d", n)))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	hits := 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if k, _, ok := strings.Cut(sc.Text(), " "); ok && k == want {
			hits++
		}
	}
	return hits, sc.Err()
}

func main() {
	dir, _ := filepath.Abs("shards")
	total := 0
	for i := 0; i < 60; i++ {
		n, err := scan(dir, i, "k12")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		total += n
	}
	fmt.Println(total, "hits in 60 shards")
}
