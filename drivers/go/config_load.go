// config-load: read and parse every file of a configuration.

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
)

type configuration struct {
	Name    string              `json:"name" yaml:"name" toml:"name"`
	Port    uint64              `json:"port" yaml:"port" toml:"port"`
	Ratio   float64             `json:"ratio" yaml:"ratio" toml:"ratio"`
	Enabled bool                `json:"enabled" yaml:"enabled" toml:"enabled"`
	Tags    []string            `json:"tags" yaml:"tags" toml:"tags"`
	Limits  configurationLimits `json:"limits" yaml:"limits" toml:"limits"`
	Padding string              `json:"padding" yaml:"padding" toml:"padding"`
}

type configurationLimits struct {
	Open uint64 `json:"open" yaml:"open" toml:"open"`
	Read uint64 `json:"read" yaml:"read" toml:"read"`
}

// format is a language of configurations: from memory, and from a stream.
type format struct {
	unmarshal func(data []byte, into any) error
	decode    func(from io.Reader, into any) error
}

var jsonFormat = format{json.Unmarshal, func(from io.Reader, into any) error { return json.NewDecoder(from).Decode(into) }}

func loads(run func(path string, f *format) (configuration, error)) way {
	return func(p *plan) (task, error) {
		t := &configTask{paths: p.paths, format: jsonFormat, run: run}
		if found, here := moduleFormats[p.format]; here {
			t.format = found
		} else if p.format != "json" {
			return nil, errors.New("a parser of " + p.format + " could not be fetched when this driver was built")
		}
		return t, nil
	}
}

// configTask performs config-load: one operation is all files.
type configTask struct {
	plain
	paths  []string
	format format
	run    func(path string, f *format) (configuration, error)
	// bytes are all files' sizes, which a decoder does not tell.
	bytes int64
}

func (t *configTask) perform(_ int, _ int64, out *sink) error {
	sum := uint64(0)
	for _, path := range t.paths {
		c, err := t.run(path, &t.format)
		if err != nil {
			return err
		}
		sum += c.Port + c.Limits.Open + c.Limits.Read
	}
	out.configuration(t.bytes, sum)
	return nil
}

func (t *configTask) takeUp() error {
	if t.bytes > 0 {
		return nil
	}
	bytes := int64(0)
	for _, path := range t.paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		bytes += info.Size()
	}
	t.bytes = bytes
	return nil
}

func configReadFile(path string, f *format) (configuration, error) {
	var c configuration
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, parsed(path, f.unmarshal(data, &c))
}

func configDecoder(path string, f *format) (configuration, error) {
	var c configuration
	file, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer file.Close()
	return c, parsed(path, f.decode(file, &c))
}

func configMapped(path string, f *format) (configuration, error) {
	var c configuration
	data, err := mapWhole(path)
	if err != nil {
		return c, err
	}
	if len(data) > 0 {
		defer syscall.Munmap(data)
	}
	return c, parsed(path, f.unmarshal(data, &c))
}

// parsed makes a parser's complaint an error of the file.
func parsed(path string, err error) error {
	if err == nil {
		return nil
	}
	return &os.PathError{Op: "parse", Path: path, Err: syscall.EBADMSG}
}
