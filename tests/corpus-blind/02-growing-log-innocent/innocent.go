// Follows a log by name over its rotations.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
)

func rotate(n int) error {
	script := fmt.Sprintf("mv app.log app.log.%d; echo generation %d > app.log", n, n)
	return exec.Command("sh", "-c", script).Run()
}

func main() {
	current, err := os.Open("app.log")
	if err != nil {
		log.Fatal(err)
	}
	switches := 0
	for n := 1; n <= 8; n++ {
		if err := rotate(n); err != nil {
			log.Fatal(err)
		}
		now, err := os.Stat("app.log")
		if err != nil {
			log.Fatal(err)
		}
		have, err := current.Stat()
		if err != nil {
			log.Fatal(err)
		}
		if !os.SameFile(now, have) {
			current.Close()
			if current, err = os.Open("app.log"); err != nil {
				log.Fatal(err)
			}
			switches++
		}
	}
	fmt.Printf("followed %d rotations\n", switches)
}
