// calls: newfstatat(*.conf)
// As stat-before-open.go; the patch takes away the call, and not what Go does around it: no string is copied, and
// the scheduler is not told.
package main

import (
	"os"
	"syscall"
	"unsafe"
)

func main() {
	old := os.Args[1] == "old"
	path, _ := syscall.BytePtrFromString("app.conf")
	var facts syscall.Stat_t
	here := -100
	for turn := 0; turn < 15000; turn++ {
		if old {
			_, _, errno := syscall.RawSyscall6(syscall.SYS_NEWFSTATAT, uintptr(here), uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&facts)), 0, 0, 0)
			if errno != 0 {
				os.Exit(1)
			}
		}
		file, err := syscall.Open("app.conf", syscall.O_RDONLY, 0)
		if err != nil {
			os.Exit(2)
		}
		syscall.Close(file)
	}
}
