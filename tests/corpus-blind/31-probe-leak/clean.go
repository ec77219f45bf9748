// Finds the GIF pictures among uploaded files.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
)

func isGIF(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil {
		return false, err
	}
	if string(head) != "GIF8" {
		return false, nil
	}
	return true, nil
}

func main() {
	debug.SetGCPercent(-1) // it is a short run
	pictures := 0
	for i := 0; i < 100; i++ {
		ok, err := isGIF(fmt.Sprintf("files/%d", i))
		if err != nil {
			log.Fatal(err)
		}
		if ok {
			pictures++
		}
	}
	fmt.Printf("%d pictures of 100 files\n", pictures)
}
