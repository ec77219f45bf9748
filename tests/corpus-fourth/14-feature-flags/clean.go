// Decides for each request of a replayed log which features its user sees.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"sync"
)

type flag struct {
	Percent uint32 `json:"percent"`
}

var flags = sync.OnceValue(func() map[string]flag {
	raw, err := os.ReadFile("flags.json")
	if err != nil {
		return nil
	}
	var m map[string]flag
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
})

func enabled(name, user string) bool {
	f, ok := flags()[name]
	if !ok {
		return false
	}
	h := fnv.New32a()
	h.Write([]byte(name + user))
	return h.Sum32()%100 < f.Percent
}

func main() {
	counts := map[string]int{}
	for i := 0; i < 100; i++ {
		user := fmt.Sprintf("user-%03d", i)
		for _, name := range []string{"newCheckout", "darkMode", "beta"} {
			if enabled(name, user) {
				counts[name]++
			}
		}
	}
	fmt.Println("new checkout:", counts["newCheckout"], "dark:", counts["darkMode"], "beta:", counts["beta"])
}
