// Reads open files into as much memory as they have bytes.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	total := 0
	for number := 1; number <= 6; number++ {
		file, err := os.Open(fmt.Sprintf("page%d", number))
		if err != nil {
			panic(err)
		}
		facts, err := file.Stat()
		if err != nil {
			panic(err)
		}
		text := make([]byte, facts.Size())
		if _, err := io.ReadFull(file, text); err != nil {
			panic(err)
		}
		file.Close()
		total += len(text)
	}
	fmt.Println("bytes", total)
}
