// search: count the occurrences of a word in a file, shared among goroutines.
// Each takes a part of the file and counts what begins in it. Every way to read
// stands here with bytes.Count and with regexp, so that neither hides the other.

package main

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"os"
	"regexp"
	"sync"
	"syscall"
)

// query is what is searched for, and by how many.
type query struct {
	word    []byte
	pattern *regexp.Regexp
	threads int
}

// counter counts the query's word in data.
type counter func(q *query, data []byte) int

func countBytes(q *query, data []byte) int { return bytes.Count(data, q.word) }

func countPattern(q *query, data []byte) int { return len(q.pattern.FindAllIndex(data, -1)) }

// countCopy has the data as a string first.
func countCopy(q *query, data []byte) int { return len(q.pattern.FindAllString(string(data), -1)) }

// searcher searches a whole file and says how long it was.
type searcher func(path string, q *query) (size int64, matches int, err error)

func searches(run searcher) way {
	return func(p *plan) (task, error) {
		q := query{word: []byte(p.word), pattern: regexp.MustCompile(regexp.QuoteMeta(p.word)), threads: p.threads}
		return eachPath(func(path string, out *sink) error {
			size, matches, err := run(path, &q)
			if err != nil {
				return err
			}
			out.matches(size, matches)
			return nil
		})(p)
	}
}

// shared gives each of the query's threads its part of size bytes and adds up
// what they count; the caller does the first part itself.
func shared(q *query, size int64, count func(start, end int64) (int, error)) (int, error) {
	counts, failures := make([]int, q.threads), make([]error, q.threads)
	work := func(i int) {
		start, end := size*int64(i)/int64(q.threads), size*int64(i+1)/int64(q.threads)
		counts[i], failures[i] = count(start, end)
	}
	var others sync.WaitGroup
	for i := 1; i < q.threads; i++ {
		others.Add(1)
		go func() {
			defer others.Done()
			work(i)
		}()
	}
	work(0)
	others.Wait()
	matches := 0
	for i, err := range failures {
		if err != nil {
			return 0, err
		}
		matches += counts[i]
	}
	return matches, nil
}

// reach is how far one must look from a part's end for a word that begins before it.
func (q *query) reach(end, size int64) int64 { return min(end+int64(len(q.word))-1, size) }

// searchPread has every goroutine read its part at once into a buffer of its own.
func searchPread(count counter) searcher {
	return func(path string, q *query) (int64, int, error) {
		fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
		if err != nil {
			return 0, 0, &os.PathError{Op: "open", Path: path, Err: err}
		}
		defer syscall.Close(fd)
		var stat syscall.Stat_t
		if err := syscall.Fstat(fd, &stat); err != nil {
			return 0, 0, &os.PathError{Op: "fstat", Path: path, Err: err}
		}
		matches, err := shared(q, stat.Size, func(start, end int64) (int, error) {
			if start == end {
				return 0, nil
			}
			buffer := make([]byte, q.reach(end, stat.Size)-start)
			if err := preadFull(fd, buffer, start); err != nil {
				return 0, &os.PathError{Op: "pread", Path: path, Err: err}
			}
			return count(q, buffer), nil
		})
		return stat.Size, matches, err
	}
}

// preadFull goes on after a read that gave less than asked, as one of more than
// 2 GiB does.
func preadFull(fd int, buffer []byte, offset int64) error {
	for len(buffer) > 0 {
		n, err := syscall.Pread(fd, buffer, offset)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		buffer, offset = buffer[n:], offset+int64(n)
	}
	return nil
}

func searchMapped(count counter) searcher {
	return func(path string, q *query) (int64, int, error) {
		data, err := mapWhole(path)
		if err != nil || len(data) == 0 {
			return 0, 0, err
		}
		defer syscall.Munmap(data)
		size := int64(len(data))
		matches, err := shared(q, size, func(start, end int64) (int, error) {
			return count(q, data[start:q.reach(end, size)]), nil
		})
		return size, matches, err
	}
}

// searchLines has every goroutine open the file and take the lines that begin
// in its part.
func searchLines(count counter) searcher {
	return func(path string, q *query) (int64, int, error) {
		info, err := os.Stat(path)
		if err != nil {
			return 0, 0, err
		}
		matches, err := shared(q, info.Size(), func(start, end int64) (int, error) {
			f, err := os.Open(path)
			if err != nil {
				return 0, err
			}
			defer f.Close()
			return countLines(f, start, end, q, count)
		})
		return info.Size(), matches, err
	}
}

func countLines(f *os.File, start, end int64, q *query, count counter) (int, error) {
	// From the byte before, the line that is under way there ends here at the latest.
	position := max(0, start-1)
	if _, err := f.Seek(position, io.SeekStart); err != nil {
		return 0, err
	}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(make([]byte, 64<<10), math.MaxInt)
	scanner.Split(splitLines)
	if start > 0 && scanner.Scan() {
		position += int64(len(scanner.Bytes())) + 1
	}
	matches := 0
	for position < end && scanner.Scan() {
		matches += count(q, scanner.Bytes())
		position += int64(len(scanner.Bytes())) + 1
	}
	return matches, scanner.Err()
}
