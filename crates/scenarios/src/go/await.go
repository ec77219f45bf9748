package main

import (
	"context"
	"io"
	"os"
	"runtime"
	"time"
)

// What became of a read that had a time limit.
type awaited struct {
	GivenUp    uint64 `json:"given_up"`
	Goroutines uint64 `json:"goroutines"`
}

// await is the part: a reload of `config` in a goroutine of its own, under a
// context with a timeout. No call on a file takes a context.
func await() (*awaited, error) {
	limited, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	before := runtime.NumGoroutine()
	done := make(chan error, 1)
	go func() {
		file, err := os.Open("config")
		if err == nil {
			_, err = io.ReadAll(file)
		}
		done <- err
	}()
	result := new(awaited)
	select {
	case err := <-done:
		return result, err
	case <-limited.Done():
		result.GivenUp = 1
	}
	time.Sleep(100 * time.Millisecond)
	result.Goroutines = uint64(runtime.NumGoroutine() - before)
	return result, nil
}
