// Averages the altitudes that a sextant took of each star.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sort"
)

type sight struct {
	minute   uint16
	altitude uint32
	star     [8]byte
}

func next(r io.Reader, s *sight) error {
	if err := binary.Read(r, binary.LittleEndian, &s.minute); err != nil {
		return err
	}
	if err := binary.Read(r, binary.LittleEndian, &s.altitude); err != nil {
		return err
	}
	return binary.Read(r, binary.LittleEndian, &s.star)
}

func main() {
	f, err := os.Open("sights.bin")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	var in io.Reader = f

	sum := map[string]uint64{}
	count := map[string]uint64{}
	sights := 0
	for {
		var s sight
		err := next(in, &s)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		name := string(s.star[:])
		sum[name] += uint64(s.altitude)*60 + uint64(s.minute)
		count[name]++
		sights++
	}

	names := make([]string, 0, len(sum))
	for name := range sum {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names[:3] {
		fmt.Printf("%s %d\n", name, sum[name]/count[name])
	}
	fmt.Printf("%d sights of %d stars\n", sights, len(names))
}
