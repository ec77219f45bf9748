// calls: newfstatat(*.conf)
// A file is asked for before it is opened; the patch opens it.
package main

import (
	"os"
	"syscall"
)

func main() {
	old := os.Args[1] == "old"
	for turn := 0; turn < 10000; turn++ {
		var facts syscall.Stat_t
		if old && syscall.Stat("app.conf", &facts) != nil {
			os.Exit(1)
		}
		file, err := syscall.Open("app.conf", syscall.O_RDONLY, 0)
		if err != nil {
			os.Exit(2)
		}
		syscall.Close(file)
	}
}
