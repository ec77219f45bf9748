// Tells of a link both what it is and what it leads to: the two differ by design.
package main

import (
	"fmt"
	"os"
)

func main() {
	link, err := os.Lstat("shortcut")
	if err != nil {
		panic(err)
	}
	file, err := os.Open("shortcut")
	if err != nil {
		panic(err)
	}
	target, err := file.Stat()
	if err != nil {
		panic(err)
	}
	file.Close()
	fmt.Println(link.Mode().Type() == os.ModeSymlink, target.Mode().IsRegular())
}
