// Sums the invoices of a number range.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)


func amount(path string) (int, bool) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return 0, false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, line := range strings.Split(string(data), "\n") {
		var n int
		if _, err := fmt.Sscanf(line, "amount %d", &n); err == nil {
			return n, true
		}
	}
	return 0, true
}

func main() {
	sum, missing := 0, 0
	for n := 1000; n < 1125; n++ {
		a, ok := amount(filepath.Join("invoices", fmt.Sprintf("%d.txt", n)))
		if !ok {
			missing++
		}
		sum += a
	}
	fmt.Printf("sum %d, missing %d\n", sum, missing)
}
