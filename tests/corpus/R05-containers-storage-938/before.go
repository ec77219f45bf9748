// Each entry's place is asked for with Seek(0, io.SeekCurrent).
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
	sum := int64(0)
	for i := 0; i < 50; i++ {
		begin, err := file.Seek(0, io.SeekCurrent)
		if err != nil {
			panic(err)
		}
		if _, err := io.ReadFull(file, entry); err != nil {
			panic(err)
		}
		sum += begin
	}
	fmt.Println("sum", sum)
}
