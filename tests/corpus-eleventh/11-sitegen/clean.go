// sitegen renders articles into a static site, one file per article.
package main

import (
	"bufio"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
)

type article struct {
	section, slug, title string
}

type site struct {
	root  string
	pages int
	bytes int
	made  map[string]bool
}

func readIndex(path string) ([]article, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []article
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		p := strings.SplitN(sc.Text(), "\t", 3)
		if len(p) == 3 {
			out = append(out, article{p[0], p[1], p[2]})
		}
	}
	return out, sc.Err()
}

func render(a article) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><title>%s</title>\n", html.EscapeString(a.title))
	fmt.Fprintf(&b, "<h1>%s</h1>\n<p>in %s</p>\n", html.EscapeString(a.title), a.section)
	return []byte(b.String())
}

func (s *site) write(a article) error {
	out := filepath.Join(s.root, a.section, a.slug+".html")
	if dir := filepath.Dir(out); !s.made[dir] {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		s.made[dir] = true
	}
	page := render(a)
	if err := os.WriteFile(out, page, 0o644); err != nil {
		return err
	}
	s.pages++
	s.bytes += len(page)
	return nil
}

func main() {
	articles, err := readIndex("index.tsv")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &site{root: "public", made: map[string]bool{}}
	for _, a := range articles {
		if err := s.write(a); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	fmt.Printf("%d pages, %d bytes\n", s.pages, s.bytes)
}
