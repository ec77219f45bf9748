// Counts how many coupons are still valid; value 0 has been used.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"
)

func valid(book string) (n int, err error) {
	f, err := os.OpenFile(book, os.O_RDONLY, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if !strings.HasSuffix(sc.Text(), " 0") {
			n++
		}
	}
	return n, sc.Err()
}

func main() {
	total := 0
	for i := 0; i < 25; i++ {
		n, err := valid(fmt.Sprintf("coupons/book%d", i))
		if err != nil {
			log.Fatal(err)
		}
		total += n
	}
	fmt.Println(total, "valid coupons in 25 books")
}
