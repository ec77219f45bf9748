// Looks up which drawer serves each order of the apothecary.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

type order struct {
	herb  string
	spoon int
}

func readOrders(path string) ([]order, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var orders []order
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var o order
		if _, err := fmt.Sscanf(line, "%s %d", &o.herb, &o.spoon); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		orders = append(orders, o)
	}
	return orders, nil
}

// drawersByHerb lists the drawers once; labels are written in any case and end in a lot number.
func drawersByHerb(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	drawers := make(map[string]string, len(entries))
	for _, e := range entries {
		label, _, _ := strings.Cut(e.Name(), "-")
		herb := strings.ToLower(label)
		if _, known := drawers[herb]; !known {
			drawers[herb] = filepath.Join(dir, e.Name())
		}
	}
	return drawers, nil
}

func main() {
	orders, err := readOrders("orders.txt")
	if err != nil {
		log.Fatal(err)
	}
	drawers, err := drawersByHerb("drawers")
	if err != nil {
		log.Fatal(err)
	}
	served, spoons := map[string]int{}, 0
	missing := 0
	for _, o := range orders {
		drawer, ok := drawers[strings.ToLower(o.herb)]
		if !ok {
			missing++
			continue
		}
		served[drawer]++
		spoons += o.spoon
	}
	fmt.Printf("%d orders, %d without a drawer\n", len(orders), missing)
	fmt.Printf("%d drawers opened, %d spoons\n", len(served), spoons)
}
