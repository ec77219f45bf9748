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

// drawerOf finds the drawer of a herb; labels are written in any case and end in a lot number.
func drawerOf(dir, herb string) (string, bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", false, err
	}
	for _, e := range entries {
		label, _, _ := strings.Cut(e.Name(), "-")
		if strings.EqualFold(label, herb) {
			return filepath.Join(dir, e.Name()), true, nil
		}
	}
	return "", false, nil
}

func main() {
	orders, err := readOrders("orders.txt")
	if err != nil {
		log.Fatal(err)
	}
	served, spoons := map[string]int{}, 0
	missing := 0
	for _, o := range orders {
		drawer, ok, err := drawerOf("drawers", o.herb)
		if err != nil {
			log.Fatal(err)
		}
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
