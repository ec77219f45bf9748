// Reads the card file of a Jacquard loom and counts how often each thread is raised.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

type card struct {
	Pattern byte
	Raise   [3]uint8
	Tension uint8
	Colour  uint8
	Repeat  uint8
	End     byte
}

type totals struct {
	cards, raised, tension int
	colours               map[uint8]int
}

func readCards(r io.Reader, t *totals) error {
	var magic [4]byte
	if _, err := io.ReadFull(r, magic[:]); err != nil {
		return err
	}
	if string(magic[:]) != "LOOM" {
		return errors.New("not a loom file")
	}
	for {
		var c card
		err := binary.Read(r, binary.LittleEndian, &c)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		t.cards++
		for _, n := range c.Raise {
			t.raised += int(n) * int(c.Repeat-'0')
		}
		t.tension += int(c.Tension)
		t.colours[c.Colour]++
	}
}

func main() {
	f, err := os.Open("jacquard.lp")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	t := totals{colours: map[uint8]int{}}
	if err := readCards(bufio.NewReader(f), &t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(t.cards, "cards,", len(t.colours), "colours")
	fmt.Println("raised", t.raised, "mean tension", t.tension/t.cards)
}
