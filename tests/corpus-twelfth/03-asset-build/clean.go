// assets copies style parts to public/ under fingerprinted names and leaves a
// manifest.json that the page renderer reads on start.
package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

type builder struct {
	out      string
	manifest map[string]string
	bytes    int
}

func minify(css []byte) []byte {
	var b bytes.Buffer
	for _, line := range bytes.Split(css, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte("/*")) {
			continue
		}
		b.Write(line)
	}
	return b.Bytes()
}

// publish puts the manifest in place atomically.
func (b *builder) publish() error {
	js, err := json.MarshalIndent(b.manifest, "", " ")
	if err != nil {
		return err
	}
	tmp := filepath.Join(b.out, ".manifest.tmp")
	if err := os.WriteFile(tmp, js, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(b.out, "manifest.json"))
}

func (b *builder) add(path string) error {
	css, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	small := minify(css)
	sum := sha1.Sum(small)
	base := strings.TrimSuffix(filepath.Base(path), ".css")
	name := base + "." + hex.EncodeToString(sum[:5]) + ".css"
	if err := os.WriteFile(filepath.Join(b.out, name), small, 0o644); err != nil {
		return err
	}
	b.manifest[filepath.Base(path)] = name
	b.bytes += len(small)
	return nil
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: assets SRC OUT")
	}
	src, out := os.Args[1], os.Args[2]
	if err := os.RemoveAll(out); err != nil {
		log.Fatal(err)
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		log.Fatal(err)
	}
	b := &builder{out: out, manifest: map[string]string{}}
	entries, err := os.ReadDir(src)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entries {
		if err := b.add(filepath.Join(src, e.Name())); err != nil {
			log.Fatal(err)
		}
	}
	if err := b.publish(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d assets, %d bytes, %s\n", len(b.manifest), b.bytes, b.manifest["part007.css"])
}
