// Simulates the firings of a kiln and checks that no firing needs too much memory.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
)

const limitPages = 1 << 20

func residentPages() (int, error) {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var size, resident int
	_, err = fmt.Sscan(string(raw), &size, &resident)
	return resident, err
}

func fire(cells, rounds int) float64 {
	heat := make([]float64, cells)
	heat[0] = 1200
	for r := 0; r < rounds*20; r++ {
		for i := 1; i < cells; i++ {
			heat[i] += (heat[i-1] - heat[i]) / 2
		}
	}
	return heat[cells/2]
}

func main() {
	plan, err := os.ReadFile("firings.txt")
	if err != nil {
		log.Fatal(err)
	}
	samples, over, hottest := 0, 0, 0.0
	for _, line := range strings.Split(strings.TrimSpace(string(plan)), "\n") {
		var cells, rounds int
		fmt.Sscan(line, &cells, &rounds)
		hottest = max(hottest, fire(cells, rounds))
		pages, err := residentPages()
		if err != nil {
			log.Fatal(err)
		}
		samples++
		if pages > limitPages {
			over++
		}
	}
	fmt.Printf("%d firings, middle up to %.0f degrees, %d over the limit\n", samples, hottest, over)
}
