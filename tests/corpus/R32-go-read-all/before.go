// Reads open files by io.ReadAll.
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
		text, err := io.ReadAll(file)
		if err != nil {
			panic(err)
		}
		file.Close()
		total += len(text)
	}
	fmt.Println("bytes", total)
}
