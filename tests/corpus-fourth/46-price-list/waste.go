// Raises all prices by three per cent.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

func raise(list string) (n int, err error) {
	old, err := os.OpenFile(list, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer old.Close()
	fresh, err := os.Create(list + ".new")
	if err != nil {
		return 0, err
	}
	defer fresh.Close()
	w := bufio.NewWriter(fresh)
	sc := bufio.NewScanner(old)
	for sc.Scan() {
		article, cents, _ := strings.Cut(sc.Text(), ";")
		c, err := strconv.Atoi(cents)
		if err != nil {
			return n, err
		}
		fmt.Fprintf(w, "%s;%d\n", article, c*103/100)
		n++
	}
	if err := w.Flush(); err != nil {
		return n, err
	}
	if err := old.Sync(); err != nil {
		return n, err
	}
	return n, os.Rename(list+".new", list)
}

func main() {
	n, err := raise("prices.csv")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "prices raised")
}
