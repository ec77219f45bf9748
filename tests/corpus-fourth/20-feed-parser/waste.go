// Command feed-parser counts the items of a set of stored feeds.
package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
)

type rss struct {
	Items []struct {
		Title string `xml:"title"`
		GUID  string `xml:"guid"`
	} `xml:"channel>item"`
}

func load(path string) (*rss, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var doc rss
	return &doc, xml.Unmarshal(raw, &doc)
}

func main() {
	names, _ := filepath.Glob("feeds/*.xml")
	items := map[string]bool{}
	for _, n := range names {
		doc, err := load(n)
		if err != nil {
			log.Fatal(n, ": ", err)
		}
		for _, it := range doc.Items {
			items[it.GUID] = true
		}
	}
	fmt.Println(len(names), "feeds,", len(items), "items")
}
