// Lists it again after each name that it changed there.
package main

import (
	"fmt"
	"os"
)

func main() {
	found := 0
	for number := 30; number < 55; number++ {
		if err := os.Rename(fmt.Sprint("data/", number), fmt.Sprint("data/", number+1)); err != nil {
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
