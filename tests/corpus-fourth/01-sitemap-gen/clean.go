// Command sitemap-gen writes the site's sitemap with the title and the day of each page.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
)

type page struct {
	url, title, day string
}

func describe(path string) (page, error) {
	f, err := os.Open(path)
	if err != nil {
		return page{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return page{}, err
	}
	p := page{url: "/" + filepath.Base(path), day: info.ModTime().UTC().Format("2006-01-02")}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if t, ok := strings.CutPrefix(sc.Text(), "<title>"); ok {
			p.title = strings.TrimSuffix(t, "</title>")
			break
		}
	}
	return p, sc.Err()
}

func main() {
	names, err := filepath.Glob("pages/*.html")
	if err != nil || len(names) == 0 {
		fmt.Fprintln(os.Stderr, "no pages")
		os.Exit(1)
	}
	var out strings.Builder
	out.WriteString("<urlset>\n")
	for _, n := range names {
		p, err := describe(n)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintf(&out, "<url><loc>%s</loc><lastmod>%s</lastmod><!-- %s --></url>\n", p.url, p.day, p.title)
	}
	out.WriteString("</urlset>\n")
	if err := os.WriteFile("sitemap.xml", []byte(out.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d pages, sitemap %08x\n", len(names), crc32.ChecksumIEEE([]byte(out.String())))
}
