package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const slotWidth = 8

type Receiver struct {
	store   *os.File
	presets [6]string
	tuned   float64
	strong  int
}

func (r *Receiver) keep(slot int, freq string) error {
	if r.presets[slot] == freq {
		return nil
	}
	r.presets[slot] = freq
	line := fmt.Sprintf("%-*s\n", slotWidth-1, freq)
	if _, err := r.store.WriteAt([]byte(line), int64(slot*slotWidth)); err != nil {
		return err
	}
	return r.store.Sync()
}

func (r *Receiver) handle(line string) error {
	words := strings.Fields(line)
	var err error
	switch words[0] {
	case "tune":
		r.tuned, err = strconv.ParseFloat(words[1], 64)
		if err == nil && int(r.tuned*10)%3 == 0 {
			r.strong++
		}
	case "store":
		slot, _ := strconv.Atoi(words[1])
		err = r.keep(slot, words[2])
	}
	return err
}

func main() {
	store, err := os.OpenFile("presets.dat", os.O_RDWR, 0)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer store.Close()
	events, err := os.Open("dial.txt")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer events.Close()
	r := &Receiver{store: store}
	lines := bufio.NewScanner(events)
	n := 0
	for lines.Scan() {
		if err := r.handle(lines.Text()); err != nil {
			fmt.Println("receiver:", err)
			os.Exit(1)
		}
		n++
	}
	fmt.Printf("%d turns of the dial, %d strong, last %.1f\n", n, r.strong, r.tuned)
	fmt.Println("presets:", strings.Join(r.presets[:], " "))
}
