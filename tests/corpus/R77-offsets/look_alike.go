// Books forty payments: none may be booked twice after a crash, so each step is made to last.
package main

import (
	"fmt"
	"os"
)

func save(done int) {
	state, err := os.OpenFile("state.tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(state, "%06d\n", done)
	state.Sync()
	state.Close()
	os.Rename("state.tmp", "state")
}

func main() {
	for done := 1; done <= 40; done++ {
		save(done)
	}
	fmt.Println("40 payments")
}
