// Lists it once, and looks into a set of names.
package main

import (
	"fmt"
	"os"
)

func main() {
	entries, err := os.ReadDir("data")
	if err != nil {
		panic(err)
	}
	names := map[string]bool{}
	for _, entry := range entries {
		names[entry.Name()] = true
	}
	found := 0
	for number := 1; number <= 25; number++ {
		if names[fmt.Sprint(number*2)] {
			found++
		}
	}
	fmt.Println("found", found)
}
