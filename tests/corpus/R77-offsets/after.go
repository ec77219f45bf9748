// Works off forty messages and saves how far it came. To do one again does no harm.
package main

import (
	"fmt"
	"os"
)

func save(done int) {
	os.WriteFile("state.tmp", []byte(fmt.Sprintf("%06d\n", done)), 0o644)
	os.Rename("state.tmp", "state")
}

func main() {
	for done := 1; done <= 40; done++ {
		if done%40 == 0 {
			save(done)
		}
	}
	fmt.Println("40 messages")
}
