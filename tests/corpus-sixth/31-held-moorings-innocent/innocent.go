// The harbour master's evening round: gives boats to berths, and keeps the lock of every berth
// given until the whole plan is made, so that no other harbour program gives it away.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
)

type berth struct {
	file   *os.File // open: holds the lock
	nr     int
	length int
}

type boat struct {
	name   string
	length int
}

// claim opens and locks a berth; the descriptor stays open as long as the plan is worked on.
func claim(path string) (*berth, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, f.Close()
	}
	if err != nil {
		return nil, err
	}
	head := make([]byte, 64)
	n, err := f.Read(head)
	if err != nil && err != io.EOF {
		return nil, err
	}
	b := &berth{file: f}
	_, err = fmt.Sscanf(string(head[:n]), "berth %d length %d", &b.nr, &b.length)
	return b, err
}

func main() {
	paths, _ := filepath.Glob("berths/*.lock")
	var held, free []*berth
	for _, p := range paths {
		b, err := claim(p)
		if err != nil {
			log.Fatalf("%s: %v", p, err)
		}
		if b != nil {
			held = append(held, b)
			free = append(free, b)
		}
	}
	sort.Slice(free, func(i, j int) bool {
		return free[i].length < free[j].length || free[i].length == free[j].length && free[i].nr < free[j].nr
	})
	data, err := os.ReadFile("boats.txt")
	if err != nil {
		log.Fatal(err)
	}
	given, waiting := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var b boat
		fmt.Sscanf(line, "%s %d", &b.name, &b.length)
		at := sort.Search(len(free), func(i int) bool { return free[i].length >= b.length })
		if at == len(free) {
			waiting++
			continue
		}
		free = append(free[:at:at], free[at+1:]...)
		given++
	}
	fmt.Printf("%d berths held, %d given, %d boats wait outside\n", len(held), given, waiting)
	// the plan is out: the locks go with the process
	runtime.KeepAlive(held)
}
