package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

const board = "board"

func post(n int, bride, groom string, sunday int) error {
	name := filepath.Join(board, fmt.Sprintf("banns-%02d.txt", n))
	draft := name + ".draft"
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "I publish the banns of %s and %s.\nSunday %d\n", bride, groom, sunday)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(draft)
		return err
	}
	return os.Rename(draft, name)
}

func run() error {
	in, err := os.Open("couples.txt")
	if err != nil {
		return err
	}
	defer in.Close()
	perSunday := map[int]int{}
	n := 0
	for sc := bufio.NewScanner(in); sc.Scan(); {
		var bride, groom string
		var sunday int
		if _, err := fmt.Sscan(sc.Text(), &bride, &groom, &sunday); err != nil {
			return err
		}
		n++
		perSunday[sunday]++
		if err := post(n, bride, groom, sunday); err != nil {
			return err
		}
	}
	fmt.Printf("posted %d banns, by Sunday %v\n", n, perSunday)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}
