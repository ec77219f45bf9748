// Writes the trace of a scheduler.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	f, err := os.Create("trace.txt")
	if err != nil {
		log.Fatal(err)
	}
	clock, switches, last := 0, 0, -1
	for i := 0; i < 400; i++ {
		task := i * 7 % 13 / 2
		clock += 3 + i%5
		if task != last {
			switches++
			last = task
		}
		if _, err := fmt.Fprintf(f, "%06d task %d runs slot %d\n", clock, task, i); err != nil {
			log.Fatal(err)
		}
	}
	st, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d switches in %d ticks, %d bytes\n", switches, clock, st.Size())
}
