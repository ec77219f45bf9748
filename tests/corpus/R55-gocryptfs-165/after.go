// Opens a path that must be no link, and asks what is open.
package main

import (
	"fmt"
	"os"
	"syscall"
)

// Lets the others do what they do; comes back when they have done it.
func letOthersRun() {
	checked, _ := syscall.Open("checked", syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, 0o600)
	syscall.Close(checked)
	turn, _ := syscall.Open("swapped", syscall.O_RDONLY, 0)
	syscall.Read(turn, make([]byte, 1))
	syscall.Close(turn)
}

func main() {
	file, err := os.OpenFile("plain", os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		panic(err)
	}
	letOthersRun()
	if opened, err := file.Stat(); err != nil || !opened.Mode().IsRegular() {
		panic("plain is no file")
	}
	file.Close()
	fmt.Println("opened plain")
}
