// Invalidates the drawn tiles of a map inside the rectangles that were edited today.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

type rect struct{ x0, y0, x1, y1 int }

type cache struct {
	dir           string
	dropped, none int
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// drop takes one tile out of the cache, if it is there.
func (c *cache) drop(x, y int) error {
	path := filepath.Join(c.dir, fmt.Sprintf("%d_%d.png", x, y))
	if !exists(path) {
		c.none++
		return nil
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	c.dropped++
	return nil
}

func (c *cache) invalidate(r rect) error {
	for x := r.x0; x <= r.x1; x++ {
		for y := r.y0; y <= r.y1; y++ {
			if err := c.drop(x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	edits := []rect{{0, 0, 2, 7}, {4, 1, 5, 9}, {7, 2, 8, 8}, {1, 5, 3, 9}}
	c := &cache{dir: "tiles"}
	for _, r := range edits {
		if err := c.invalidate(r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	left, err := os.ReadDir(c.dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("edits %d: %d tiles dropped, %d were not drawn, %d left\n", len(edits), c.dropped, c.none, len(left))
}
