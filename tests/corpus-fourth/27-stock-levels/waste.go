// Books deliveries and sales of a shop; its stock is one JSON file.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
)

type stock map[string]int

func load() (s stock, err error) {
	raw, err := os.ReadFile("stock.json")
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	return
}

func (s stock) save() error {
	tmp, err := os.CreateTemp(".", ".stock-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if err := json.NewEncoder(tmp).Encode(s); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), "stock.json")
}

func main() {
	bookings := []struct {
		part string
		n    int
	}{{"bolt", -7}, {"nut", -7}, {"washer", -14}, {"bolt", 50}, {"pin", 12}, {"nut", -3}, {"pin", -2}, {"washer", -1}}
	for _, b := range bookings {
		s, err := load()
		if err != nil {
			log.Fatal(err)
		}
		s[b.part] += b.n
		if err := s.save(); err != nil {
			log.Fatal(err)
		}
	}
	s, err := load()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s["bolt"], s["nut"], s["washer"], s["pin"])
}
