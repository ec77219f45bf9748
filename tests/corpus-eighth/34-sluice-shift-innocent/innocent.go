// Works through the gate moves of a shift. Only one shift in the house may run at a time, from
// whatever directory: the lock has a name all of them know.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"sort"
)

var lockName = filepath.Join(os.TempDir(), "sluice-shift.lock")

type house struct{ opening map[string]int }

func (h *house) move(gate string, by int, way string) {
	if way == "down" {
		by = -by
	}
	h.opening[gate] = max(0, h.opening[gate]+by)
}

func enter() (func(), error) {
	f, err := os.OpenFile(lockName, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0600)
	if errors.Is(err, fs.ErrExist) {
		return nil, errors.New("another shift is at work")
	}
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(f, os.Getpid()); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return func() { os.Remove(lockName) }, nil
}

func main() {
	leave, err := enter()
	if err != nil {
		log.Fatal(err)
	}
	defer leave()
	in, err := os.Open("moves.txt")
	if err != nil {
		log.Panic(err)
	}
	defer in.Close()
	h := &house{opening: map[string]int{}}
	moves := 0
	for sc := bufio.NewScanner(in); sc.Scan(); moves++ {
		var gate, way string
		var by int
		if _, err := fmt.Sscan(sc.Text(), &gate, &by, &way); err != nil {
			log.Panic(err)
		}
		h.move(gate, by, way)
	}
	var gates []string
	for g := range h.opening {
		gates = append(gates, g)
	}
	sort.Strings(gates)
	for _, g := range gates {
		fmt.Printf("%s open %d cm\n", g, h.opening[g])
	}
	fmt.Println(moves, "moves")
}
