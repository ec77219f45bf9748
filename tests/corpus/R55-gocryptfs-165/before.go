// Makes sure that a path is no link, then opens it by its name.
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
	asked, err := os.Lstat("plain")
	if err != nil || !asked.Mode().IsRegular() {
		panic("plain is no file")
	}
	letOthersRun()
	file, err := os.Open("plain")
	if err != nil {
		panic(err)
	}
	if _, err := file.Stat(); err != nil {
		panic(err)
	}
	file.Close()
	fmt.Println("opened plain")
}
