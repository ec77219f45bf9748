// One refusal is how a program finds out.
package main

import (
	"fmt"
	"os"
)

func main() {
	file, err := os.Open("data/1")
	if err != nil {
		panic(err)
	}
	bytes := make([]byte, 64)
	count, err := file.Read(bytes)
	if err != nil {
		panic(err)
	}
	fmt.Println("bytes", count)
}
