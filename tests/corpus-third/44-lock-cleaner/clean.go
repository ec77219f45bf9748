package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

type cleaner struct {
	removed, absent int
}

func (c *cleaner) drop(name string) error {
	if err := os.Remove(name); errors.Is(err, fs.ErrNotExist) {
		c.absent++
		return nil
	} else if err != nil {
		return err
	}
	c.removed++
	return nil
}

func main() {
	var c cleaner
	for i := 0; i < 50; i++ {
		if err := c.drop(fmt.Sprintf("locks/job%d.lock", i)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	fmt.Println(c.removed, "removed,", c.absent, "absent")
}
