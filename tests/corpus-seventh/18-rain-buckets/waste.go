package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

const days, buckets = 30, 12

func readRain(name string) (rain [days][buckets]int, err error) {
	in, err := os.Open(name)
	if err != nil {
		return rain, err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var d, b, mm int
		if _, err := fmt.Sscan(lines.Text(), &d, &b, &mm); err == nil && d < days && b < buckets {
			rain[d][b] += mm
		}
	}
	return rain, lines.Err()
}

func table(out io.Writer, rain [days][buckets]int) (wettest int, err error) {
	most := -1
	for d, row := range rain {
		sum := 0
		for _, mm := range row {
			if _, err = fmt.Fprintf(out, "%4d", mm); err != nil {
				return 0, err
			}
			sum += mm
		}
		fmt.Fprintf(out, " |%5d\n", sum)
		if sum > most {
			most, wettest = sum, d
		}
	}
	return wettest, nil
}

func main() {
	rain, err := readRain("rain.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := os.Create("table.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	wettest, err := table(out, rain)
	if closing := out.Close(); err == nil {
		err = closing
	}
	fmt.Println("wettest day:", wettest, "error:", err)
}
