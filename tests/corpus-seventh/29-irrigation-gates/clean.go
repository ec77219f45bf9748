package main

import (
	"bufio"
	"fmt"
	"os"
)

type gate struct {
	percent int
	moves   int
}

func wanted(moisture int) int {
	if moisture > 60 {
		return 0
	}
	return 100 - moisture
}

func run() error {
	in, err := os.Open("moisture.txt")
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile("schedule.out", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer out.Close()

	g := gate{percent: -1}
	hours := 0
	sc := bufio.NewScanner(in)
	for sc.Scan() {
		var hour, moisture int
		if _, err := fmt.Sscan(sc.Text(), &hour, &moisture); err != nil {
			return err
		}
		hours++
		if p := wanted(moisture); p != g.percent {
			g.percent = p
			g.moves++
			if _, err := fmt.Fprintf(out, "hour %02d gate %d%%\n", hour, p); err != nil {
				return err
			}
			if err := out.Sync(); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d hours, %d gate moves, last at %d%%\n", hours, g.moves, g.percent)
	return sc.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}
