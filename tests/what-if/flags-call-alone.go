// calls: fcntl
// F_GETFL and F_SETFL for each use of a descriptor, as in set-nonblocking.go; the patch takes away the two calls, and not what Go does around them.
package main

import (
	"os"
	"syscall"
)

func control(file int, command uintptr, flags uintptr) uintptr {
	result, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(file), command, flags)
	if errno != 0 {
		os.Exit(2)
	}
	return result
}

func main() {
	old := os.Args[1] == "old"
	for turn := 0; turn < 300; turn++ {
		file, err := syscall.Open("app.conf", syscall.O_RDONLY, 0)
		if err != nil {
			os.Exit(1)
		}
		for piece := 0; piece < 50; piece++ {
			if old || piece == 0 {
				flags := control(file, syscall.F_GETFL, 0)
				control(file, syscall.F_SETFL, flags|syscall.O_NONBLOCK)
			}
		}
		syscall.Close(file)
	}
}
