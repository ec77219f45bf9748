// A write-ahead log that is synced at a tick where something was appended.
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
	appended := 0
	for tick := 0; tick < 24; tick++ {
		dirty := false
		if tick%12 == 0 {
			fmt.Fprintf(log, "entry %d\n", appended)
			appended++
			dirty = true
		}
		if dirty {
			if err := log.Sync(); err != nil {
				panic(err)
			}
		}
	}
	log.Close()
	fmt.Println("appended", appended)
}
