// The runtime's poller is asked to watch each file; EPERM says that it cannot.
package main

import (
	"fmt"
	"os"
)

func main() {
	total := 0
	bytes := make([]byte, 64)
	for number := 1; number <= 20; number++ {
		file, err := os.Open(fmt.Sprintf("data/%d", number))
		if err != nil {
			panic(err)
		}
		count, err := file.Read(bytes)
		if err != nil {
			panic(err)
		}
		total += count
		file.Close()
	}
	fmt.Println("bytes", total)
}
