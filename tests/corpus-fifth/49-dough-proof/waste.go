// Runs the batches of a bakery: each batch is proved by an own process, and baked when its mark is there.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const batches = 4

func start(n int) (*exec.Cmd, error) {
	script := fmt.Sprintf("sleep 0.%02d; echo 'risen %d' > proof/.b%d; mv proof/.b%d proof/batch%d.done", 5+n, n*7, n, n, n)
	c := exec.Command("sh", "-c", script)
	return c, c.Start()
}

// wait comes back when the mark of the batch is there.
func wait(dir, name string) error {
	end := time.Now().Add(5 * time.Second)
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: not ready", name)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func run() error {
	for n := 1; n <= batches; n++ {
		c, err := start(n)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("batch%d.done", n)
		if err := wait("proof", name); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join("proof", name))
		if err != nil {
			return err
		}
		fmt.Printf("batch %d: %s, into the oven\n", n, strings.TrimSpace(string(text)))
		if err := c.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("all baked")
}
