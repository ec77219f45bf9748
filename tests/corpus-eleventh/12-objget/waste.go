// objget answers lookups in a small object store, a folder of KEY.obj files.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
)

var errNotFound = errors.New("not found")

type store struct{ dir string }

func (s store) get(key string) ([]byte, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() && e.Name() == key+".obj" {
			return os.ReadFile(filepath.Join(s.dir, e.Name()))
		}
	}
	return nil, errNotFound
}

type stats struct {
	hits, misses int
	bytes        int
	crc          uint32
}

func serve(s store, requests string) (stats, error) {
	var st stats
	f, err := os.Open(requests)
	if err != nil {
		return st, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		data, err := s.get(sc.Text())
		switch {
		case errors.Is(err, errNotFound), errors.Is(err, fs.ErrNotExist):
			st.misses++
		case err != nil:
			return st, err
		default:
			st.hits++
			st.bytes += len(data)
			st.crc = crc32.Update(st.crc, crc32.IEEETable, data)
		}
	}
	return st, sc.Err()
}

func main() {
	st, err := serve(store{"objects"}, "requests.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d hits, %d misses, %d bytes, crc %08x\n", st.hits, st.misses, st.bytes, st.crc)
}
