// The first read of a process: what the scenario `first-read` asks of this
// runtime. `driver first-read PREPARATION FILE READS` prepares, reads the file
// once and prints how long that took, on one line, as JSON.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"
)

// restAfterCollection is how long the published program waits for the collector.
const restAfterCollection = 100 * time.Millisecond

// firstRead is the answer.
type firstRead struct {
	FirstNs     int64  `json:"first_ns"`
	Bytes       int    `json:"bytes"`
	Collections uint32 `json:"collections"`
}

func readFirst(args []string, out io.Writer) error {
	if len(args) != 3 {
		return errors.New("usage: driver first-read PREPARATION FILE READS")
	}
	path := args[1]
	reads, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	if err := beforeFirstRead(args[0], path, reads); err != nil {
		return err
	}
	begin := time.Now()
	data, err := os.ReadFile(path)
	took := time.Since(begin)
	if err != nil {
		return err
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return json.NewEncoder(out).Encode(firstRead{took.Nanoseconds(), len(data), stats.NumGC})
}

// beforeFirstRead does what is to make the first read fast.
func beforeFirstRead(preparation, path string, reads int) error {
	switch preparation {
	case "none":
		return nil
	case "executed":
		return executeBefore(path, reads)
	case "executed-collected":
		if err := executeBefore(path, reads); err != nil {
			return err
		}
		runtime.GC()
		time.Sleep(restAfterCollection)
		return nil
	default:
		return fmt.Errorf("no preparation %q", preparation)
	}
}

func executeBefore(path string, reads int) error {
	for range reads {
		if _, err := os.ReadFile(path); err != nil {
			return err
		}
	}
	return nil
}
