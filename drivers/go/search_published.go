// search as published, flaws included: "How to Open a File in Linux: A Deep
// Dive" (P. McConnell, 2025-03-04) counts ERROR in a log by four goroutines in
// two ways, which answer 998321 and 997413. Their answers can be foretold from
// the file's bytes; search_published_test.go does.

package main

import (
	"bufio"
	"io"
	"os"
	"sync"
	"syscall"
)

const (
	flawQuarters = "misses occurrences that cross the border of two parts and those in the last (size mod threads) bytes; reads at most 2 GiB - 4 KiB of each part"
	flawSeek     = "stops a part at the first line after its last read, which drops the lines that the Scanner still holds; begins in the middle of a line; " +
		"counts lines with the word, not its occurrences; gives up a part at a line longer than 64 KiB; in a file shorter than the number of threads each thread counts the first line"
)

// publishedShares starts one goroutine for each part, all parts as long as the
// others, and adds up what comes through a channel.
func publishedShares(path string, q *query, count func(start, length int64) (int, error)) (int64, int, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	length := info.Size() / int64(q.threads)
	type share struct {
		matches int
		err     error
	}
	shares := make(chan share, q.threads)
	var workers sync.WaitGroup
	for i := 0; i < q.threads; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			matches, err := count(int64(i)*length, length)
			shares <- share{matches, err}
		}()
	}
	go func() {
		workers.Wait()
		close(shares)
	}()
	matches := 0
	for share := range shares {
		if share.err != nil {
			err = share.err
		}
		matches += share.matches
	}
	return info.Size(), matches, err
}

// searchQuarters: one pread of the whole part, its length not looked at, and a
// copy of it as a string.
func searchQuarters(path string, q *query) (int64, int, error) {
	return publishedShares(path, q, func(start, length int64) (int, error) {
		fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
		if err != nil {
			return 0, &os.PathError{Op: "open", Path: path, Err: err}
		}
		defer syscall.Close(fd)
		buffer := make([]byte, length)
		if _, err := syscall.Pread(fd, buffer, start); err != nil {
			return 0, &os.PathError{Op: "pread", Path: path, Err: err}
		}
		return len(q.pattern.FindAllString(string(buffer), -1)), nil
	})
}

// searchSeek asks after each line where the file stands, which is behind all
// that the Scanner has read, not behind the line.
func searchSeek(path string, q *query) (int64, int, error) {
	return publishedShares(path, q, func(start, length int64) (int, error) {
		f, err := os.OpenFile(path, os.O_RDONLY, 0o666)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		if _, err := f.Seek(start, io.SeekStart); err != nil {
			return 0, err
		}
		scanner := bufio.NewScanner(f)
		scanner.Buffer(make([]byte, 64<<10), 64<<10)
		matches := 0
		for scanner.Scan() {
			if q.pattern.MatchString(scanner.Text()) {
				matches++
			}
			position, err := f.Seek(0, io.SeekCurrent)
			if err != nil {
				return 0, err
			}
			if position >= start+length {
				break
			}
		}
		// The publication does not ask scanner.Err.
		return matches, nil
	})
}
