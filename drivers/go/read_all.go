// What io.ReadAll does inside, and what an open and a close take each: what the
// scenario `allocations` asks of this runtime beside its loops.

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// watchedReader notes into which memory a file was read.
type watchedReader struct {
	file   *os.File
	reads  int
	pieces []piece
}

type piece struct {
	address uintptr
	length  int
}

func (w *watchedReader) Read(buffer []byte) (int, error) {
	n, err := w.file.Read(buffer)
	w.reads++
	if n > 0 {
		w.pieces = append(w.pieces, piece{uintptr(unsafe.Pointer(unsafe.SliceData(buffer))), n})
	}
	return n, err
}

// moved is how many bytes of the result do not lie where they were read to: they
// were copied at least once.
func (w *watchedReader) moved(result []byte) int {
	moved, offset := 0, 0
	for _, p := range w.pieces {
		if p.address != uintptr(unsafe.Pointer(unsafe.SliceData(result)))+uintptr(offset) {
			moved += p.length
		}
		offset += p.length
	}
	return moved
}

// readAllSeen is the answer of `driver read-all FILE`.
type readAllSeen struct {
	Bytes       int    `json:"bytes"`
	Capacity    int    `json:"capacity"`
	Allocations uint64 `json:"allocations"`
	Allocated   uint64 `json:"allocated"`
	Reads       int    `json:"reads"`
	Moved       int    `json:"moved"`
	// EmptyReadFails: a read of nothing that is not the end is an error.
	EmptyReadFails bool `json:"empty_read_fails"`
}

func seeReadAll(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: driver read-all FILE")
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	// Room for more pieces than there are, so that noting them allocates nothing.
	reader := &watchedReader{file: file, pieces: make([]piece, 0, 1<<10)}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	data, err := io.ReadAll(reader)
	runtime.ReadMemStats(&after)
	if err != nil {
		return err
	}
	_, emptyError := io.ReadAll(&emptyOnce{})
	return json.NewEncoder(out).Encode(readAllSeen{
		len(data), cap(data), after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc,
		reader.reads, reader.moved(data), emptyError != nil,
	})
}

// emptyOnce reads nothing once, then a byte, then the end.
type emptyOnce struct{ reads int }

func (e *emptyOnce) Read(buffer []byte) (int, error) {
	e.reads++
	switch e.reads {
	case 1:
		return 0, nil
	case 2:
		return copy(buffer, "x"), nil
	default:
		return 0, io.EOF
	}
}

// callTimes is the answer of `driver call-times FILE COUNT`: medians, less what
// reading the clock takes.
type callTimes struct {
	OpenNs  float64 `json:"open_ns"`
	CloseNs float64 `json:"close_ns"`
	ClockNs float64 `json:"clock_ns"`
}

func timeCalls(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: driver call-times FILE COUNT")
	}
	count, err := strconv.Atoi(args[1])
	if err != nil || count < 1 {
		return errors.New("COUNT is a number")
	}
	opens, closes, clocks := make([]int64, count), make([]int64, count), make([]int64, count)
	for i := range count {
		begin := time.Now()
		fd, err := syscall.Open(args[0], syscall.O_RDONLY, 0)
		opened := time.Now()
		if err != nil {
			return &os.PathError{Op: "open", Path: args[0], Err: err}
		}
		closing := time.Now()
		err = syscall.Close(fd)
		closed := time.Now()
		if err != nil {
			return &os.PathError{Op: "close", Path: args[0], Err: err}
		}
		opens[i] = opened.Sub(begin).Nanoseconds()
		closes[i] = closed.Sub(closing).Nanoseconds()
		clocks[i] = closing.Sub(opened).Nanoseconds()
	}
	clock := middle(clocks)
	return json.NewEncoder(out).Encode(callTimes{middle(opens) - clock, middle(closes) - clock, clock})
}

func middle(times []int64) float64 {
	slices.Sort(times)
	return float64(times[(len(times)-1)/2]+times[len(times)/2]) / 2
}
