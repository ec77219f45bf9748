package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
)

type sink struct {
	mu sync.Mutex
	w  io.Writer
	n  int
}

func (s *sink) event(worker, job int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.w, "{\"worker\":%d,\"job\":%d}\n", worker, job)
	s.n++
}

func main() {
	f, err := os.Create("trace/run.jsonl")
	if err != nil {
		panic(err)
	}
	bw := bufio.NewWriter(f)
	s := &sink{w: bw}
	var wg sync.WaitGroup
	for w := 0; w < 3; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			for j := 0; j < 100; j++ {
				s.event(w, j)
			}
		}(w)
	}
	wg.Wait()
	if err := bw.Flush(); err != nil {
		panic(err)
	}
	if err := f.Close(); err != nil {
		panic(err)
	}
	fmt.Println(s.n, "events")
}
