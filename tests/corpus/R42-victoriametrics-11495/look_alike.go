// Gives true advices to a file, and to a line between programs, which refuses every advice.
package main

import (
	"fmt"
	"syscall"
)

const sequential, willNeed = 2, 3

func main() {
	given, refused := 0, 0
	for _, name := range []string{"part1", "line"} {
		file, err := syscall.Open(name, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
		if err != nil {
			panic(err)
		}
		for _, advice := range []uintptr{sequential, willNeed} {
			_, _, errno := syscall.Syscall6(syscall.SYS_FADVISE64, uintptr(file), 0, 0, advice, 0, 0)
			if errno == 0 {
				given++
			} else {
				refused++
			}
		}
		syscall.Close(file)
	}
	fmt.Println("given", given, "refused", refused)
}
