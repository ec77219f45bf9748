// What the tests of the hook run that is about goroutines: `crowd NUMBER FILE`.
package main

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

func main() {
	number, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	var all sync.WaitGroup
	var wrong atomic.Int32
	for range number {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				if _, err := os.Stat("/does/not/exist"); !errors.Is(err, fs.ErrNotExist) {
					wrong.Add(1)
				}
				if text, err := os.ReadFile(os.Args[2]); err != nil || string(text) != "crowd" {
					wrong.Add(1)
				}
			}
		}()
	}
	all.Wait()
	if wrong.Load() != 0 {
		os.Exit(1)
	}
}
