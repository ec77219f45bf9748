// Plain calls, which no poller sees.
package main

import (
	"fmt"
	"syscall"
)

func main() {
	total := 0
	bytes := make([]byte, 64)
	for number := 1; number <= 20; number++ {
		file, err := syscall.Open(fmt.Sprintf("data/%d", number), syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			panic(err)
		}
		count, err := syscall.Read(file, bytes)
		if err != nil {
			panic(err)
		}
		total += count
		syscall.Close(file)
	}
	fmt.Println("bytes", total)
}
