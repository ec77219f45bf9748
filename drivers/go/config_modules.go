//go:build !nounix

// The formats of configurations that need modules from outside the standard
// library.

package main

import (
	"io"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"
)

var moduleFormats = map[string]format{
	"yaml": {
		func(data []byte, into any) error { return yaml.Unmarshal(data, into) },
		func(from io.Reader, into any) error { return yaml.NewDecoder(from).Decode(into) },
	},
	"toml": {
		toml.Unmarshal,
		func(from io.Reader, into any) error {
			_, err := toml.NewDecoder(from).Decode(into)
			return err
		},
	},
}
