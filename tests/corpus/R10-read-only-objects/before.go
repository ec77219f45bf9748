// Writes twenty objects that nobody is to change.
package main

import (
	"fmt"
	"os"
)

func write(path string, mode os.FileMode) {
	object, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		panic(err)
	}
	object.WriteString("object\n")
	object.Close()
}

func main() {
	for number := 0; number < 20; number++ {
		path := fmt.Sprintf("objects/%d", number)
		write(path, 0o644)
		os.Chmod(path, 0o444)
	}
	fmt.Println("20 objects")
}
