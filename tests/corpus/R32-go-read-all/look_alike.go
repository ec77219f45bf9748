// Counts lines with one buffer, and with a larger one where lines are long: nothing is kept.
package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	lines := 0
	for number := 1; number <= 6; number++ {
		file, err := os.Open(fmt.Sprintf("page%d", number))
		if err != nil {
			panic(err)
		}
		piece := make([]byte, 4096)
		for {
			size, err := file.Read(piece)
			lines += bytes.Count(piece[:size], []byte("\n"))
			if err != nil || size < len(piece) {
				break
			}
		}
		file.Close()
	}
	fmt.Println("lines", lines)
}
