// Keeper of a swing bridge: for each ship the bridge is taken, opened and given back.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const lock = "/tmp/tenth-swing-bridge.lock"

func take() error {
	for try := 0; try < 20; try++ {
		f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0600)
		if err == nil {
			fmt.Fprintf(f, "%d\n", os.Getpid())
			return f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the bridge is taken by another keeper")
}

func give() error {
	return os.Remove(lock)
}

func pass(length, tide int) int {
	return 2 + length/20 + tide
}

func main() {
	in, err := os.Open("ships.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer in.Close()

	ships, minutes, longest := 0, 0, ""
	most := 0
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var name string
		var length, tide int
		if n, _ := fmt.Sscan(lines.Text(), &name, &length, &tide); n != 3 {
			continue
		}
		if err := take(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		m := pass(length, tide)
		if err := give(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		ships++
		minutes += m
		if m > most {
			most, longest = m, name
		}
	}
	fmt.Printf("%d ships, %d minutes open\n", ships, minutes)
	fmt.Printf("longest: %s with %d minutes\n", longest, most)
}
