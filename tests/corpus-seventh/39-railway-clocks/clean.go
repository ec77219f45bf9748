package main

import (
	"fmt"
	"os"
	"strings"
)

type dial struct {
	station int
	offset  int
}

func load(path string) (dial, error) {
	var d dial
	data, err := os.ReadFile(path)
	if err != nil {
		return d, err
	}
	_, err = fmt.Sscanf(string(data), "station %d\noffset %d", &d.station, &d.offset)
	return d, err
}

func store(path string, d dial) error {
	fresh := path + ".new"
	var b strings.Builder
	fmt.Fprintf(&b, "station %d\noffset %d\nchecked yes\n", d.station, d.offset)
	f, err := os.Create(fresh)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(b.String()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

func main() {
	early, late := 0, 0
	for i := 1; i <= 24; i++ {
		path := fmt.Sprintf("dials/clock%d", i)
		d, err := load(path)
		if err == nil {
			if d.offset < 0 {
				late++
			} else if d.offset > 0 {
				early++
			}
			d.offset = 0
			err = store(path, d)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	if dir, err := os.Open("dials"); err == nil {
		dir.Sync()
		dir.Close()
	}
	fmt.Printf("24 clocks set, %d were early and %d late\n", early, late)
}
