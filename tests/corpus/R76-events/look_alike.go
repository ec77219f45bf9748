// Journals events as they come, one by one: each is read, and then written under the lock.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

func main() {
	// In one thread, so that counts are exact.
	runtime.LockOSThread()
	input, err := os.Open("input")
	if err != nil {
		panic(err)
	}
	journal, err := os.OpenFile("journal", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		panic(err)
	}
	event := make([]byte, 200)
	for count := 0; count < 50; count++ {
		length, _ := input.Read(event)
		syscall.Flock(int(journal.Fd()), syscall.LOCK_EX)
		syscall.Write(int(journal.Fd()), event[:length])
		syscall.Flock(int(journal.Fd()), syscall.LOCK_UN)
	}
	fmt.Println("50 events")
}
