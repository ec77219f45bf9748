// Evening show of a small planetarium: a script works out the lamps, then the show is put together.
package main

import (
	"bufio"
	"fmt"
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
	late := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer late.Stop()
	if err := cmd.Wait(); err != nil {
		return err
	}
	_, err := os.Stat(marker)
	return err
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
