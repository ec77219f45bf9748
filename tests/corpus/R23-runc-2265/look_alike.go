// Remounts one thing after the other and looks at the table each time: it has changed.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := 0
	for i := 0; i < 12; i++ {
		table, err := os.OpenFile("mounts", os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(table, "%c", 'a'+i)
		table.Close()

		text, err := os.ReadFile("mounts")
		if err != nil {
			panic(err)
		}
		lines = strings.Count(string(text), "\n")
	}
	fmt.Println("mounts:", lines)
}
