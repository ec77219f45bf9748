// Lists it again after each file that it made there.
package main

import (
	"fmt"
	"os"
)

func main() {
	found := 0
	for number := 101; number <= 125; number++ {
		if err := os.Mkdir(fmt.Sprint("data/", number), 0o755); err != nil {
			panic(err)
		}
		entries, err := os.ReadDir("data")
		if err != nil {
			panic(err)
		}
		found += len(entries)
	}
	fmt.Println("found", found)
}
