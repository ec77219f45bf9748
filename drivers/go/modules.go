//go:build !nounix

// What needs modules from outside the standard library: unix.Open, and the formats
// of configurations beside JSON.

package main

import (
	"io"
	"os"

	"github.com/BurntSushi/toml"
	"golang.org/x/sys/unix"
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

var unixOpen = method{Name: "unix.Open", ways: ways{openClose: opens(unixOpenClose), openMissing: opens(unixOpenMissing)}}

func unixOpenClose(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	return unix.Close(fd)
}

func unixOpenMissing(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	if err == nil {
		unix.Close(fd)
		return found(path)
	}
	if err == unix.ENOENT {
		return nil
	}
	return &os.PathError{Op: "open", Path: path, Err: err}
}
