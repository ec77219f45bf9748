// Picks the highest cached version of every dependency.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
)

func newest(lib string) string {
	entries, err := os.ReadDir("cache")
	if err != nil {
		log.Fatal(err)
	}
	best := ""
	for _, entry := range entries {
		name, version, ok := strings.Cut(strings.TrimSuffix(entry.Name(), ".tar"), "-")
		if ok && name == lib && version > best {
			best = version
		}
	}
	return best
}

func main() {
	resolved, missing := []string{}, 0
	for i := 0; i < 90; i++ {
		lib := fmt.Sprintf("lib%d", i*7%33)
		if v := newest(lib); v != "" {
			resolved = append(resolved, lib+"@"+v)
		} else {
			missing++
		}
	}
	fmt.Printf("%d resolved, %d missing, last %s\n", len(resolved), missing, resolved[len(resolved)-1])
}
