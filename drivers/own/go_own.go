// Functions of a user's file as methods. Which they are stands in own_list.go, made for the file.

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"syscall"
)

// Beside the user's functions only `null`: the kit's own ways are the shipped driver's.
func init() {
	known := methods
	methods = nil
	for _, m := range known {
		if m.Name == "null" {
			methods = append(methods, m)
		}
	}
	for _, f := range ownFunctions {
		methods = append(methods, ownMethod(f.name, f.function))
	}
}

type ownFunction struct {
	name     string
	function any
}

func ownMethod(name string, function any) method {
	m := method{Name: name, Does: strings.Replace(reflect.TypeOf(function).String(), "func", "func "+name, 1)}
	run := func(string, *buffers, *sink) error { return nil }
	switch f := function.(type) {
	case func(string) ([]byte, error):
		run = func(path string, _ *buffers, out *sink) error {
			data, err := f(path)
			if err == nil {
				out.take(data)
			}
			return ownError(path, err)
		}
	case func(string) []byte:
		run = func(path string, _ *buffers, out *sink) error {
			out.take(f(path))
			return nil
		}
	case func(string) (string, error):
		run = func(path string, _ *buffers, out *sink) error {
			data, err := f(path)
			if err == nil {
				out.take([]byte(data))
			}
			return ownError(path, err)
		}
	case func(string) string:
		run = func(path string, _ *buffers, out *sink) error {
			out.take([]byte(f(path)))
			return nil
		}
	case func(string) (int, error):
		run = ownCount(f)
	case func(string) (int64, error):
		run = ownCount(f)
	case func(string) (uint64, error):
		run = ownCount(f)
	case func(string) int:
		run = ownCount(func(path string) (int, error) { return f(path), nil })
	case func(string) int64:
		run = ownCount(func(path string) (int64, error) { return f(path), nil })
	case func(string) uint64:
		run = ownCount(func(path string) (uint64, error) { return f(path), nil })
	default:
		m.Unavailable = ownMisfit(reflect.TypeOf(function))
	}
	m.ways = ways{readWhole: reads(func(path string, buffers *buffers, out *sink) (err error) {
		defer recoverOwn(path, &err)
		return run(path, buffers, out)
	})}
	return m
}

func ownCount[T int | int64 | uint64](f func(string) (T, error)) func(string, *buffers, *sink) error {
	return func(path string, _ *buffers, out *sink) error {
		count, err := f(path)
		if err == nil && count < 0 {
			err = fmt.Errorf("returned %d", count)
		}
		if err == nil {
			out.matches(0, int(count))
		}
		return ownError(path, err)
	}
}

// ownMisfit says why a function is no method.
func ownMisfit(t reflect.Type) string {
	if t.NumIn() != 1 {
		return fmt.Sprintf("takes %d arguments", t.NumIn())
	}
	if t.In(0).Kind() != reflect.String {
		return "takes " + t.In(0).String()
	}
	results := make([]string, t.NumOut())
	for i := range results {
		results[i] = t.Out(i).String()
	}
	if len(results) == 0 {
		return "returns nothing"
	}
	return "returns " + strings.Join(results, ", ")
}

// ownError keeps the words of an error, which the answer to a failed operation has no room for but
// behind the path.
func ownError(path string, err error) error {
	if err == nil {
		return nil
	}
	var errno syscall.Errno
	var pathError *fs.PathError
	if errors.As(err, &pathError) && errors.As(err, &errno) {
		return err
	}
	if !errors.As(err, &errno) {
		errno = syscall.EIO
	}
	words := strings.Join(strings.Fields(err.Error()), " ")
	return &fs.PathError{Op: "function", Path: path + " (" + words + ")", Err: errno}
}

func recoverOwn(path string, err *error) {
	if fault := recover(); fault != nil {
		*err = ownError(path, fmt.Errorf("panic: %v", fault))
	}
}
