// Reads five parts, with an advice that is none: SEQUENTIAL|NOREUSE is 7.
package main

import (
	"fmt"
	"syscall"
)

const sequential, noReuse = 2, 5

func advise(file, advice int) {
	syscall.Syscall6(syscall.SYS_FADVISE64, uintptr(file), 0, 0, uintptr(advice), 0, 0)
}

func main() {
	sum := 0
	for number := 1; number <= 5; number++ {
		file, err := syscall.Open(fmt.Sprint("part", number), syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			panic(err)
		}
		advise(file, sequential|noReuse)
		came, _ := syscall.Read(file, make([]byte, 100000))
		sum += came
		syscall.Close(file)
	}
	fmt.Println("bytes", sum)
}
