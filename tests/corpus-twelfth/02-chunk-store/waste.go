// snapshot cuts a volume image into chunks named by their hash and commits
// them together: a snapshot counts only once its INDEX file is in place.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const chunkSize = 16 << 10

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "snapshot:", err)
		os.Exit(1)
	}
}

func syncDir(dir string) {
	d, err := os.Open(dir)
	must(err)
	must(d.Sync())
	must(d.Close())
}

// put stores data under name, safe on disk under its temporary name first.
func put(dir, name string, data []byte) {
	tmp := filepath.Join(dir, name+".tmp")
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	must(err)
	_, err = f.Write(data)
	must(err)
	must(f.Sync())
	must(f.Close())
	must(os.Rename(tmp, filepath.Join(dir, name)))
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: snapshot IMAGE STORE")
		os.Exit(2)
	}
	image, store := os.Args[1], os.Args[2]
	must(os.RemoveAll(store))
	must(os.Mkdir(store, 0o755))
	in, err := os.Open(image)
	must(err)
	defer in.Close()

	var names []string
	buf := make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(in, buf)
		if n == 0 {
			break
		}
		sum := sha256.Sum256(buf[:n])
		name := hex.EncodeToString(sum[:12])
		put(store, name, buf[:n])
		syncDir(store)
		names = append(names, name)
		if err != nil {
			break
		}
	}
	put(store, "INDEX", []byte(strings.Join(names, "\n")+"\n"))
	syncDir(store)
	fmt.Printf("snapshot of %s: %d chunks, first %s\n", image, len(names), names[0])
}
