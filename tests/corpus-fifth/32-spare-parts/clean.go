// Counts the spare parts of 24 bins, each bin file read once under a shared lock.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// openShared opens a bin file by hand, since os.Open cannot take the lock at once.
func openShared(name string) (*os.File, error) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(fd, syscall.LOCK_SH); err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

func countBin(name string) (int, error) {
	f, err := openShared(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	total := 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		n, err := strconv.Atoi(sc.Text())
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, sc.Err()
}

// load notes how busy the machine is while the bins are counted.
func load(stop chan bool) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(60 * time.Millisecond):
			if b, err := os.ReadFile("/proc/loadavg"); err == nil {
				os.WriteFile("load.txt", b, 0o644)
			}
		}
	}
}

func main() {
	const bins = 24
	list, err := os.ReadFile("bins.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	totals := make([]int, bins+1)
	stop := make(chan bool)
	go load(stop)
	for _, word := range strings.Fields(string(list)) {
		b, _ := strconv.Atoi(word)
		n, err := countBin(fmt.Sprintf("bins/bin%d.txt", b))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		totals[b] = n
	}
	stop <- true
	sum := 0
	for b := 1; b <= bins; b++ {
		sum += totals[b]
	}
	fmt.Printf("bins %d, parts %d, first %d, last %d\n", bins, sum, totals[1], totals[bins])
}
