package main

import (
	"fmt"
	"os"
)

func copyOf(name string) {
	buffer := make([]byte, 64)
	file, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	file.Read(buffer)
	file.Close()
}

func look(name string) {
	// before
	os.Stat(name)
	copyOf(name)
	// each file
}

func keep() {
	out, err := os.Create("out")
	if err != nil {
		panic(err)
	}
	out.Write([]byte("x"))
	// out
	out.Close()
}

func main() {
	for number := 1; number <= 4; number++ {
		look(fmt.Sprintf("data/%d.txt", number))
	}
	keep()
	copyOf("moved.dat")
}
