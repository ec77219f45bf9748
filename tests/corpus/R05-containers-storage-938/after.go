// An entry begins where the one before it ended.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	file, err := os.Open("archive")
	if err != nil {
		panic(err)
	}
	entry := make([]byte, 1000)
	begin, sum := 0, 0
	for i := 0; i < 50; i++ {
		if _, err := io.ReadFull(file, entry); err != nil {
			panic(err)
		}
		sum += begin
		begin += len(entry)
	}
	fmt.Println("sum", sum)
}
