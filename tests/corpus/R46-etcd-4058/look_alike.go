// Three commits, each on the device before it is acknowledged: every sync has something to do.
package main

import (
	"fmt"
	"os"
)

func main() {
	log, err := os.OpenFile("wal", os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	for commit := 0; commit < 3; commit++ {
		fmt.Fprintf(log, "commit %d\n", commit)
		if err := log.Sync(); err != nil {
			panic(err)
		}
	}
	log.Close()
	fmt.Println("committed 3")
}
