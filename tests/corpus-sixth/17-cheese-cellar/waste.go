// Which wheels in the cheese cellar are ripe, and which must be turned today?
package main

import (
	"fmt"
	"log"
	"os"
)

type wheel struct {
	number, humidity, days int
}

func (w wheel) ripe() bool { return w.days >= 240 && w.humidity < 60 }
func (w wheel) turn() bool { return w.days%3 == 0 }

func load(path string) ([]wheel, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	var n int
	if _, err := fmt.Fscan(f, &n); err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	wheels := make([]wheel, n)
	for i := range wheels {
		w := &wheels[i]
		if _, err := fmt.Fscan(f, &w.number, &w.humidity, &w.days); err != nil {
			return nil, fmt.Errorf("wheel %d: %w", i+1, err)
		}
	}
	return wheels, nil
}

func main() {
	wheels, err := load("cellar.txt")
	if err != nil {
		log.Fatal(err)
	}
	ripe, turn, oldest := 0, 0, wheels[0]
	for _, w := range wheels {
		if w.ripe() {
			ripe++
		} else if w.turn() {
			turn++
		}
		if w.days > oldest.days {
			oldest = w
		}
	}
	fmt.Printf("%d wheels, %d ripe, %d to turn\n", len(wheels), ripe, turn)
	fmt.Printf("oldest is number %d with %d days\n", oldest.number, oldest.days)
}
