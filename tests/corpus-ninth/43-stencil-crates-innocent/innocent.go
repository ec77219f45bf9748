package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"sort"
	"syscall"
)

// Tag is the text of a crate's tag: "crate N, W kg, sum XXXXXXXX".
type Tag struct {
	Crate, Kilos int
	Sum          uint32
}

func (t Tag) text() string {
	body := fmt.Sprintf("crate %d, %d kg", t.Crate, t.Kilos)
	return fmt.Sprintf("%s, sum %08x\n", body, crc32.ChecksumIEEE([]byte(body)))
}

// check reads a tag under a lock that keeps the scales' program out, and
// mends the sum at once where it is wrong.
func check(path string) (t Tag, mended bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return t, false, err
	}
	defer f.Close()
	lock := syscall.Flock_t{Type: syscall.F_WRLCK}
	if err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLKW, &lock); err != nil {
		return t, false, err
	}
	text := make([]byte, 100)
	n, err := f.Read(text)
	if err != nil {
		return t, false, err
	}
	if _, err = fmt.Sscanf(string(text[:n]), "crate %d, %d kg, sum %x", &t.Crate, &t.Kilos, &t.Sum); err != nil {
		return t, false, err
	}
	right := []byte(t.text())
	if bytes.Equal(right, text[:n]) {
		return t, false, nil
	}
	_, err = f.WriteAt(right, 0)
	return t, true, err
}

func main() {
	entries, err := os.ReadDir("crates")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var tags []Tag
	mended := 0
	for _, e := range entries {
		t, wrong, err := check("crates/" + e.Name())
		if err != nil {
			fmt.Println(e.Name(), err)
			os.Exit(1)
		}
		if wrong {
			mended++
		}
		tags = append(tags, t)
	}
	sort.Slice(tags, func(i, j int) bool { return tags[i].Kilos > tags[j].Kilos })
	fmt.Printf("%d crates, heaviest %d with %d kg\n", len(tags), tags[0].Crate, tags[0].Kilos)
	fmt.Printf("%d sums mended\n", mended)
}
