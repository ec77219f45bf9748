// Takes the locks of 30 boats one after the other. The harbour's cleaner removes lock files of boats that
// left, so a lock counts only if the file that is locked is still the one that has the name.
package main

import (
	"fmt"
	"os"
	"syscall"
)

type lock struct {
	f     *os.File
	tries int
}

func take(path string, meddle func()) (*lock, error) {
	for tries := 1; ; tries++ {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if meddle != nil && tries == 1 {
			meddle() // the cleaner comes just now
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			f.Close()
			return nil, err
		}
		held, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		named, err := os.Stat(path)
		if err == nil && os.SameFile(held, named) {
			return &lock{f, tries}, nil
		}
		f.Close() // locked a file that nobody else will find
	}
}

func (l *lock) release() error { return l.f.Close() }

func main() {
	taken, again := 0, 0
	for n := 1; n <= 30; n++ {
		path := fmt.Sprintf("locks/boat%d.lock", n)
		var meddle func()
		if n%10 == 0 {
			meddle = func() { os.Remove(path) }
		}
		l, err := take(path, meddle)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		taken++
		again += l.tries - 1
		if err := l.release(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	fmt.Printf("locks taken: %d, taken again after the cleaner: %d\n", taken, again)
}
