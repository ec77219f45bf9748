package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strconv"
	"sync"
)

const blockBytes = 4096

// What several goroutines on one file got.
type tally struct {
	Tries   uint64 `json:"tries"`
	Right   uint64 `json:"right"`
	Other   uint64 `json:"other"`
	Nothing uint64 `json:"nothing"`
}

// The ways in which goroutines read one file.
const (
	seekRead = "Seek, then Read"
	readAt   = "ReadAt"
	locked   = "Seek, then Read, a mutex around both"
	own      = "Seek, then Read, a file of its own each"
)

// reader reads blocks of the file `blocks` in one of the ways.
type reader struct {
	way  string
	file *os.File
	lock *sync.Mutex
}

// share is the part: WAY forced|free TRIES GOROUTINES BLOCKS.
func share(words []string) (*tally, error) {
	if len(words) != 5 {
		return nil, fmt.Errorf("WAY forced|free TRIES GOROUTINES BLOCKS")
	}
	numbers := make([]int, 3)
	for i, word := range words[2:] {
		number, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		numbers[i] = number
	}
	tries, goroutines, blocks := numbers[0], numbers[1], numbers[2]
	file, err := os.Open("blocks")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	first := &reader{way: words[0], file: file, lock: new(sync.Mutex)}
	if words[1] == "forced" {
		return first.forced(tries, blocks)
	}
	results := make(chan error)
	tallies := make([]tally, goroutines)
	for i := range tallies {
		go func() { results <- first.freely(&tallies[i], tries, blocks) }()
	}
	for range tallies {
		err = errors.Join(err, <-results)
	}
	total := new(tally)
	for _, one := range tallies {
		total.Tries += one.Tries
		total.Right += one.Right
		total.Other += one.Other
		total.Nothing += one.Nothing
	}
	return total, err
}

// another gives the reader of another goroutine.
func (r *reader) another() (*reader, error) {
	if r.way != own {
		return r, nil
	}
	file, err := os.Open("blocks")
	return &reader{way: r.way, file: file, lock: r.lock}, err
}

func (r *reader) freely(into *tally, tries, blocks int) error {
	mine, err := r.another()
	if err != nil {
		return err
	}
	for range tries {
		if err := mine.try(into, rand.Intn(blocks), func() error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// forced has another goroutine seek between the two steps of each try.
func (r *reader) forced(tries, blocks int) (*tally, error) {
	other, err := r.another()
	if err != nil {
		return nil, err
	}
	goOn, done := make(chan int), make(chan error)
	go func() {
		for block := range goOn {
			_, err := other.file.Seek(int64(block)*blockBytes, io.SeekStart)
			done <- err
		}
	}()
	total := new(tally)
	for i := range tries {
		block := i % (blocks - 1)
		between := func() error {
			goOn <- block + 1
			return <-done
		}
		if err := r.try(total, block, between); err != nil {
			return nil, err
		}
	}
	close(goOn)
	return total, nil
}

func (r *reader) try(into *tally, block int, between func() error) error {
	buffer := make([]byte, blockBytes)
	n, err := r.read(buffer, int64(block)*blockBytes, between)
	if err != nil && err != io.EOF {
		return err
	}
	into.Tries++
	switch {
	case n < blockBytes:
		into.Nothing++
	case binary.LittleEndian.Uint64(buffer) == uint64(block):
		into.Right++
	default:
		into.Other++
	}
	return nil
}

func (r *reader) read(buffer []byte, offset int64, between func() error) (int, error) {
	if r.way == readAt {
		if err := between(); err != nil {
			return 0, err
		}
		return r.file.ReadAt(buffer, offset)
	}
	if r.way == locked {
		r.lock.Lock()
		defer r.lock.Unlock()
	}
	if _, err := r.file.Seek(offset, io.SeekStart); err != nil {
		return 0, err
	}
	if err := between(); err != nil {
		return 0, err
	}
	return r.file.Read(buffer)
}
