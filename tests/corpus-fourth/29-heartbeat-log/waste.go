// Watches temperatures; each alarm must be on disk before the next round.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	in, err := os.Open("temperatures.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile("alarms.log", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		log.Fatal(err)
	}
	rounds, alarms := 0, 0
	sc := bufio.NewScanner(in)
	for sc.Scan() {
		rounds++
		for i, v := range strings.Fields(sc.Text()) {
			if v < "93" || len(v) != 2 {
				continue
			}
			if _, err := fmt.Fprintf(out, "round %d sensor %d at %s\n", rounds, i, v); err != nil {
				log.Fatal(err)
			}
			alarms++
		}
		if err := out.Sync(); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(rounds, "rounds,", alarms, "alarms")
}
