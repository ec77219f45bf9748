// Averages what the measuring posts of a salt marsh show, per plant.
package main

import (
	"bytes"
	"fmt"
	"os"
	"sort"
	"strconv"
)

type post struct {
	salt  float64
	water int
	plant string
}

func parse(data []byte) post {
	var p post
	for _, line := range bytes.Split(data, []byte("\n")) {
		key, value, _ := bytes.Cut(line, []byte(" "))
		switch string(key) {
		case "salt":
			p.salt, _ = strconv.ParseFloat(string(value), 64)
		case "water":
			p.water, _ = strconv.Atoi(string(value))
		case "plant":
			p.plant = string(value)
		}
	}
	return p
}

func load(path string) (post, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return post{}, err
	}
	return parse(data), nil
}

func main() {
	salt := map[string]float64{}
	count := map[string]int{}
	wettest, water := 0, -1
	for i := 1; i <= 60; i++ {
		p, err := load(fmt.Sprintf("posts/m%d.card", i))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		salt[p.plant] += p.salt
		count[p.plant]++
		if p.water > water {
			wettest, water = i, p.water
		}
	}
	var plants []string
	for plant := range salt {
		plants = append(plants, plant)
	}
	sort.Strings(plants)
	for _, plant := range plants {
		fmt.Printf("%s: %d posts, salt %.2f\n", plant, count[plant], salt[plant]/float64(count[plant]))
	}
	fmt.Printf("wettest post %d\n", wettest)
}
