// Counts the visitors at the four doors of a fair; the count of a door is on disk before it shows.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
)

const width = 16

type clicker struct{ file *os.File }

func open(path string) (*clicker, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &clicker{f}, nil
}

func (c *clicker) load(doors int) ([]int, error) {
	all := make([]byte, doors*width)
	if _, err := c.file.ReadAt(all, 0); err != nil {
		return nil, err
	}
	counts := make([]int, doors)
	for i := range counts {
		if _, err := fmt.Sscanf(string(all[i*width:(i+1)*width]), "%d", &counts[i]); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func (c *clicker) store(door, count int) error {
	if _, err := c.file.WriteAt(fmt.Appendf(nil, "%015d\n", count), int64(door*width)); err != nil {
		return err
	}
	return c.file.Sync()
}

func main() {
	c, err := open("clicker.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer c.file.Close()
	counts, err := c.load(4)
	if err != nil {
		log.Fatal(err)
	}
	in, err := os.Open("clicks.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	for sc := bufio.NewScanner(in); sc.Scan(); {
		var door, people int
		if _, err := fmt.Sscan(sc.Text(), &door, &people); err != nil {
			log.Fatal(err)
		}
		counts[door] += people
		if err := c.store(door, counts[door]); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("door %d shows %d\n", door, counts[door])
	}
	fmt.Println("all doors:", counts[0]+counts[1]+counts[2]+counts[3])
}
