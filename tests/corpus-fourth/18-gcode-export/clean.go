// Exports the tool path of a spiral for a milling machine.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"
)

func main() {
	f, err := os.Create("part.gcode")
	if err != nil {
		log.Fatal(err)
	}
	out := bufio.NewWriter(f)
	fmt.Fprintln(out, "G21\nG90")
	length, px, py := 0.0, 0.0, 0.0
	for i := 1; i <= 800; i++ {
		a := float64(i) / 20
		x, y := a*math.Cos(a), a*math.Sin(a)
		length += math.Hypot(x-px, y-py)
		px, py = x, y
		fmt.Fprintf(out, "G1 X%.4f Y%.4f F%d\n", x, y, 300+i%5*20)
	}
	fmt.Fprintln(out, "M2")
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	info, err := os.Stat("part.gcode")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("path of %.1f mm, %d bytes\n", length, info.Size())
}
