// Loads forty records into a store and syncs once, at the end of the batch.
package main

import (
	"fmt"
	"os"
)

func main() {
	store, err := os.OpenFile("store", os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	for record := 0; record < 40; record++ {
		store.Write(make([]byte, 4096))
	}
	if err := store.Sync(); err != nil {
		panic(err)
	}
	store.Close()
	fmt.Println("loaded 40")
}
