// Evening show of a small planetarium: a script works out the lamps, then the show is put together.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"time"
)

type lamp struct {
	star        string
	power, hour int
}

func waitFor(cmd *exec.Cmd, marker string, limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		_, err := os.Stat(marker)
		if err == nil {
			return cmd.Wait()
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return errors.New("the lamps are not ready in time")
}

func read(path string) ([]lamp, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lamps []lamp
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		var l lamp
		if _, err := fmt.Sscan(sc.Text(), &l.star, &l.power, &l.hour); err != nil {
			return nil, err
		}
		lamps = append(lamps, l)
	}
	return lamps, sc.Err()
}

func main() {
	cmd := exec.Command("sh", "compute.sh")
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	if err := waitFor(cmd, "show.done", 5*time.Second); err != nil {
		log.Fatal(err)
	}
	lamps, err := read("show.txt")
	if err != nil {
		log.Fatal(err)
	}
	hours := map[int]int{}
	brightest := lamps[0]
	for _, l := range lamps {
		hours[l.hour]++
		if l.power > brightest.power {
			brightest = l
		}
	}
	fmt.Printf("%d lamps in %d hours of sky\n", len(lamps), len(hours))
	fmt.Printf("brightest %s at %d\n", brightest.star, brightest.power)
}
