// Fills the audio guides of a museum: each room's player gets its tracks.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func copyTrack(from, to string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	done, err := io.Copy(out, in)
	if err != nil {
		out.Close()
		return done, err
	}
	return done, out.Close()
}

func main() {
	plan, err := os.ReadFile("rooms.txt")
	if err != nil {
		log.Fatal(err)
	}
	perRoom := map[string]int64{}
	for _, line := range strings.Split(strings.TrimSpace(string(plan)), "\n") {
		track, room, _ := strings.Cut(line, " ")
		dir := filepath.Join("player", "room"+room)
		if _, seen := perRoom[room]; !seen {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				log.Fatal(err)
			}
		}
		n, err := copyTrack(filepath.Join("tracks", track), filepath.Join(dir, track))
		if err != nil {
			log.Fatal(err)
		}
		perRoom[room] += n
	}
	for _, room := range []string{"0", "1", "2", "3"} {
		fmt.Printf("room %s: %d bytes\n", room, perRoom[room])
	}
}
