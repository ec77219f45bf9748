package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

type Test struct {
	Alloy  string
	Load   int
	Dents  []float64
	Vicker float64
}

func parse(line string) (Test, error) {
	var t Test
	var a, b, c float64
	_, err := fmt.Sscanf(line, "%s %d %f %f %f", &t.Alloy, &t.Load, &a, &b, &c)
	t.Dents = []float64{a, b, c}
	mean := (a + b + c) / 3
	t.Vicker = 1.854 * float64(t.Load) / (mean * mean)
	return t, err
}

func report(w io.Writer, tests []Test) error {
	fmt.Fprintf(w, "alloy      load  HV\n")
	fmt.Fprintf(w, "%s\n", strings.Repeat("-", 30))
	for _, t := range tests {
		_, err := fmt.Fprintf(w, "%-10s %4d  %.0f\n", t.Alloy, t.Load, t.Vicker)
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "end of certificate\n")
	return err
}

func run() error {
	in, err := os.Open("dents.txt")
	if err != nil {
		return err
	}
	defer in.Close()
	var tests []Test
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		t, err := parse(lines.Text())
		if err != nil {
			return err
		}
		tests = append(tests, t)
	}
	out, err := os.OpenFile("certificate.txt", os.O_WRONLY|os.O_APPEND|os.O_SYNC, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	buffered := bufio.NewWriterSize(out, 64<<10)
	if err := report(buffered, tests); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	hardest := tests[0]
	for _, t := range tests {
		if t.Vicker > hardest.Vicker {
			hardest = t
		}
	}
	fmt.Printf("%d tests certified, hardest %s with %.0f HV\n", len(tests), hardest.Alloy, hardest.Vicker)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
