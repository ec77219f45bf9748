package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

type book struct {
	dir   string
	stone map[string][]int
}

func (b *book) ready() bool {
	info, err := os.Stat(b.dir)
	return err == nil && info.IsDir()
}

func (b *book) add(stone string, kilos int) error {
	if kilos <= 0 {
		return fmt.Errorf("empty lorry")
	}
	b.stone[stone] = append(b.stone[stone], kilos)
	return nil
}

func main() {
	in, err := os.Open("loads.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer in.Close()
	b := &book{dir: filepath.Join("quarry", "north"), stone: map[string][]int{}}
	if !b.ready() {
		fmt.Println(b.dir, "is not open")
		return
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var stone string
		var kilos int
		fmt.Sscan(lines.Text(), &stone, &kilos)
		if err := b.add(stone, kilos); err != nil {
			fmt.Println(err)
		}
	}
	names := []string{}
	for name := range b.stone {
		names = append(names, name)
	}
	sort.Strings(names)
	text := ""
	for _, name := range names {
		sum := 0
		for _, k := range b.stone[name] {
			sum += k
		}
		text += fmt.Sprintf("%s %d loads %d kg\n", name, len(b.stone[name]), sum)
	}
	fmt.Print(text)
	if err := os.WriteFile(filepath.Join(b.dir, "day.txt"), []byte(text), 0o644); err != nil {
		fmt.Println(err)
	}
}
