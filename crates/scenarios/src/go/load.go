package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// What came of a load, as all loaders say it.
type loaded struct {
	Layer   string  `json:"layer"`
	Text    string  `json:"text"`
	Bytes   *uint64 `json:"bytes"`
	Entries int     `json:"entries"`
}

// load is the part: WAY, `unmarshal` or `decoder`.
func load(words []string) (*loaded, error) {
	into := map[string]any{}
	var err error
	if len(words) == 1 && words[0] == "decoder" {
		err = decode(into)
	} else {
		var text []byte
		text, err = os.ReadFile("config")
		if err == nil {
			err = json.Unmarshal(text, &into)
		}
	}
	if err == nil {
		return &loaded{Layer: "nobody", Text: fmt.Sprintf("%.60q", into), Entries: len(into)}, nil
	}
	layer := "parse"
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		layer = failed.Op
	}
	return &loaded{Layer: layer, Text: err.Error()}, nil
}

func decode(into map[string]any) error {
	file, err := os.Open("config")
	if err != nil {
		return err
	}
	defer file.Close()
	return json.NewDecoder(file).Decode(&into)
}
