// Writes the bills of a boarding kennel.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"
)

func loadRates() (map[string]int, error) {
	raw, err := os.ReadFile("rates.json")
	if err != nil {
		return nil, err
	}
	rates := map[string]int{}
	return rates, json.Unmarshal(raw, &rates)
}

func charge(rates map[string]int, kind string, nights int, weekend bool) (int, error) {
	perNight, ok := rates[kind]
	if !ok {
		return 0, fmt.Errorf("no rate for %s", kind)
	}
	if weekend {
		perNight += rates["weekend"]
	}
	return perNight * nights, nil
}

func main() {
	book, err := os.ReadFile("bookings.txt")
	if err != nil {
		log.Fatal(err)
	}
	rates, err := loadRates()
	if err != nil {
		log.Fatal(err)
	}
	bills := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(book)), "\n") {
		var guest, kind string
		var nights, weekend int
		fmt.Sscan(line, &guest, &kind, &nights, &weekend)
		sum, err := charge(rates, kind, nights, weekend == 1)
		if err != nil {
			log.Fatal(err)
		}
		bills[guest] += sum
	}
	var out strings.Builder
	total := 0
	names := make([]string, 0, len(bills))
	for guest, sum := range bills {
		total += sum
		names = append(names, guest)
	}
	sort.Strings(names)
	for _, guest := range names {
		fmt.Fprintf(&out, "%s owes %d\n", guest, bills[guest])
	}
	if err := os.WriteFile("bills.txt", []byte(out.String()), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d guests, %d in all\n", len(names), total)
}
