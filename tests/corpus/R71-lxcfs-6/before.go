// Lists the directory once for each name.
package main

import (
	"fmt"
	"os"
)

func main() {
	found := 0
	for number := 1; number <= 25; number++ {
		entries, err := os.ReadDir("data")
		if err != nil {
			panic(err)
		}
		for _, entry := range entries {
			if entry.Name() == fmt.Sprint(number*2) {
				found++
			}
		}
	}
	fmt.Println("found", found)
}
