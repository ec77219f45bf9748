package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// The forms of a loop that opens and never closes.
const (
	dropped       = "dropped"
	descriptor    = "descriptor"
	kept          = "kept"
	allocating    = "allocating"
	keptCollected = "kept-collected"
	uncollected   = "uncollected"
	collected     = "collected"
)

const (
	// Between two collections, where the loop asks for them.
	betweenCollections = 100
	// What a loop allocates beside, per open.
	garbageBytes = 64 << 10
)

// What became of the opens.
type leaked struct {
	Limit       uint64 `json:"limit"`
	Tries       uint64 `json:"tries"`
	Opened      uint64 `json:"opened"`
	Refused     uint64 `json:"refused"`
	First       uint64 `json:"first"`
	Collections uint64 `json:"collections"`
	OpenAtEnd   uint64 `json:"open_at_end"`
}

var (
	allFiles []*os.File
	garbage  []byte
)

// leak is the part: FORM TRIES LIMIT, a limit of 0 for the one there is.
func leak(words []string) (*leaked, error) {
	if len(words) != 3 {
		return nil, fmt.Errorf("FORM TRIES LIMIT")
	}
	tries, err := strconv.ParseUint(words[1], 10, 64)
	if err != nil {
		return nil, err
	}
	limit, err := setLimit(words[2])
	if err != nil {
		return nil, err
	}
	if words[0] == uncollected {
		debug.SetGCPercent(-1)
	}
	result := &leaked{Limit: limit, Tries: tries}
	for i := range tries {
		err := openOnce(words[0], i)
		switch {
		case err == nil:
			result.Opened++
		case errors.Is(err, syscall.EMFILE):
			result.Refused++
			if result.First == 0 {
				result.First = i + 1
			}
		default:
			return nil, err
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	result.Collections = uint64(stats.NumGC)
	result.OpenAtEnd = openDescriptors(limit)
	runtime.KeepAlive(allFiles)
	return result, nil
}

func setLimit(word string) (uint64, error) {
	limit, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		return 0, err
	}
	if limit > 0 {
		return limit, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: limit})
	}
	var found syscall.Rlimit
	err = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &found)
	return found.Cur, err
}

func openOnce(form string, number uint64) error {
	if form == descriptor {
		_, err := syscall.Open("file", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		collectNowAndThen(number)
		return err
	}
	file, err := os.Open("file")
	switch form {
	case kept:
		allFiles = append(allFiles, file)
	case keptCollected:
		allFiles = append(allFiles, file)
		collectNowAndThen(number)
	case allocating, uncollected:
		garbage = make([]byte, garbageBytes)
	case collected:
		collectNowAndThen(number)
	}
	return err
}

// collectNowAndThen collects, and gives what the collection found time to be closed.
func collectNowAndThen(number uint64) {
	if (number+1)%betweenCollections == 0 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// openDescriptors counts them without a descriptor of its own.
func openDescriptors(limit uint64) uint64 {
	var open uint64
	for number := range limit {
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(number), syscall.F_GETFD, 0); errno == 0 {
			open++
		}
	}
	return open
}
