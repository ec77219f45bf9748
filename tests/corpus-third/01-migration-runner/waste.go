package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

type migration struct {
	version  int
	up, down []byte
}

func load(dir string, v int, kind string) ([]byte, error) {
	p := filepath.Join(dir, fmt.Sprintf("%04d.%s.sql", v, kind))
	if _, err := os.Stat(p); os.IsNotExist(err) {
		return nil, nil
	}
	return os.ReadFile(p)
}

func main() {
	var all []migration
	for v := 1; v <= 60; v++ {
		up, err := load("db/migrations", v, "up")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		down, _ := load("db/migrations", v, "down")
		all = append(all, migration{v, up, down})
	}
	rev, stmts := 0, 0
	for _, m := range all {
		if m.down != nil {
			rev++
		}
		stmts += bytes.Count(m.up, []byte(";"))
	}
	fmt.Printf("%d migrations, %d reversible, %d statements\n", len(all), rev, stmts)
}
