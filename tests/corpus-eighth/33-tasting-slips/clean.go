// Pins the slips of a wine tasting on the wall all the growers share; a slip that hangs is left alone.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
)

type tasting struct {
	slip   int
	wine   string
	points int
}

var errTaken = errors.New("taken")

func pin(wall string, t tasting) error {
	name := filepath.Join(wall, fmt.Sprintf("slip%d", t.slip))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0644)
	if errors.Is(err, fs.ErrExist) {
		return errTaken
	}
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f, "%s: %d points\n", t.wine, t.points); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func main() {
	in, err := os.Open("tastings.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	pinned, taken := 0, 0
	var best tasting
	for sc := bufio.NewScanner(in); sc.Scan(); {
		var t tasting
		if _, err := fmt.Sscan(sc.Text(), &t.slip, &t.wine, &t.points); err != nil {
			log.Fatal(err)
		}
		err := pin("wall", t)
		switch {
		case errors.Is(err, errTaken):
			taken++
			fmt.Printf("slip %d hangs already\n", t.slip)
		case err != nil:
			log.Fatal(err)
		default:
			pinned++
		}
		if t.points > best.points {
			best = t
		}
	}
	fmt.Printf("%d pinned, %d taken, best %s with %d\n", pinned, taken, best.wine, best.points)
}
