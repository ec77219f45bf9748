// calls: fcntl
// A descriptor is set not to block each time that it is used, which takes two calls; the patch knows that it is.
package main

import (
	"os"
	"syscall"
)

func main() {
	old := os.Args[1] == "old"
	for turn := 0; turn < 300; turn++ {
		file, err := syscall.Open("app.conf", syscall.O_RDONLY, 0)
		if err != nil {
			os.Exit(1)
		}
		for piece := 0; piece < 50; piece++ {
			if (old || piece == 0) && syscall.SetNonblock(file, true) != nil {
				os.Exit(2)
			}
		}
		syscall.Close(file)
	}
}
