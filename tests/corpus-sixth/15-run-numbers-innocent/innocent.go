// Four simulations claim run numbers beside each other; each run has its own directory.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	workers = 4
	perWork = 10
)

// claim takes the first free run number from start on.
func claim(start int) (int, string, error) {
	for n := start; ; n++ {
		dir := filepath.Join("runs", fmt.Sprintf("run%03d", n))
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			return n, dir, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return 0, "", err
		}
	}
}

func work(name string) error {
	next := 1
	for i := 0; i < perWork; i++ {
		n, dir, err := claim(next)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("worker %s seed %d\n", name, n*7919%1000)
		if err := os.WriteFile(filepath.Join(dir, "seed"), []byte(text), 0o644); err != nil {
			return err
		}
		next = n + 1
	}
	return nil
}

func main() {
	if len(os.Args) > 1 {
		if err := work(os.Args[1]); err != nil {
			log.Fatal(err)
		}
		return
	}
	var children []*exec.Cmd
	for w := 0; w < workers; w++ {
		c := exec.Command(os.Args[0], fmt.Sprint(w))
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			log.Fatal(err)
		}
		children = append(children, c)
	}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			log.Fatal(err)
		}
	}
	seeds, _ := filepath.Glob("runs/*/seed")
	fmt.Printf("%d runs claimed by %d workers\n", len(seeds), workers)
	fmt.Println("first", seeds[0], "last", seeds[len(seeds)-1])
}
