// bundle glues the assets named in a manifest into one file.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

type bundler struct {
	root    string
	out     bytes.Buffer
	added   int
	missing []string
}

func (b *bundler) load(name string) ([]byte, error) {
	path := filepath.Join(b.root, name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func (b *bundler) add(name string) error {
	data, err := b.load(name)
	if errors.Is(err, fs.ErrNotExist) {
		b.missing = append(b.missing, name)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(&b.out, "/* %s */\n", name)
	b.out.Write(bytes.TrimSpace(data))
	b.out.WriteByte('\n')
	b.added++
	return nil
}

func names(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if s := strings.TrimSpace(sc.Text()); s != "" && s[0] != '#' {
			out = append(out, s)
		}
	}
	return out, sc.Err()
}

func main() {
	list, err := names("manifest.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	b := &bundler{root: "assets"}
	for _, n := range list {
		if err := b.add(n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := os.WriteFile("bundle.js", b.out.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d assets, %d missing, %x\n", b.added, len(b.missing), sha256.Sum256(b.out.Bytes()))
}
