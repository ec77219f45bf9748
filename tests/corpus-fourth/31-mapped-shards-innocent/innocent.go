// Serves queries from forty shards that are open as long as the server runs.
package main

import (
	"fmt"
	"log"
	"os"
)

type server struct{ shards [40]*os.File }

func (s *server) get(key int) (string, error) {
	buf := make([]byte, 4)
	_, err := s.shards[key%40].ReadAt(buf, int64(key/40%100)*5)
	return string(buf), err
}

func main() {
	var s server
	for i := range s.shards {
		f, err := os.Open(fmt.Sprintf("shards/s%d", i))
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		s.shards[i] = f
	}
	check := 0
	for q := 0; q < 400; q++ {
		v, err := s.get(q * 397 % 4000)
		if err != nil {
			log.Fatal(err)
		}
		check = (check*10 + int(v[3])) % 1000003
	}
	fmt.Println("400 answers, check", check)
}
