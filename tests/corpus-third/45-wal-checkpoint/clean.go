package main

import (
	"fmt"
	"os"
)

func checkpoint(lsn int) error {
	f, err := os.Create("ckpt/next")
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(f, "lsn %d\n", lsn); err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := os.Rename("ckpt/next", "ckpt/current"); err != nil {
		return err
	}
	d, err := os.Open("ckpt")
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func main() {
	for lsn := 100; lsn <= 400; lsn += 100 {
		if err := checkpoint(lsn); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("committed", lsn)
	}
}
