// Writes twenty objects in two steps, and closes them then.
package main

import (
	"fmt"
	"os"
)

func write(path string, flags int) {
	object, err := os.OpenFile(path, os.O_WRONLY|flags, 0o644)
	if err != nil {
		panic(err)
	}
	object.WriteString("object\n")
	object.Close()
}

func main() {
	for number := 0; number < 20; number++ {
		path := fmt.Sprintf("objects/%d", number)
		write(path, os.O_CREATE|os.O_EXCL)
		write(path, os.O_APPEND)
		os.Chmod(path, 0o444)
	}
	fmt.Println("20 objects")
}
