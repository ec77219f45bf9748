// What a method is. The list of them stands in method_list.go, how each works
// in the file of its operation.

package main

import (
	"fmt"
	"hash"
	"os"
)

// method is one way to perform operations; it has a function for each
// operation it can perform.
type method struct {
	name        string
	does        string
	unavailable string
	// takes are settings that not every method of its operations obeys.
	takes []string
	// flaw says why a published program that the method shows answers wrongly.
	flaw   string
	isNull bool
	direct bool
	// byLine methods see one line at a time, sequential ones cannot write elsewhere.
	byLine, sequential bool

	openClose      func(path string) error
	openMissing    func(path string) error
	openWriteClose func(path string) error
	openReadClose  func(path string, buffers *buffers, out *sink) error
	// openReadCloseOnStack is the same into an array of its own frame.
	openReadCloseOnStack func(path string, buffers *buffers, out *sink) error
	readWhole            func(path string, buffers *buffers, out *sink) error
	readBlock            func(path string, size int64) (blockSource, error)
	lines                func(path string, out *sink) error
	search               searcher
	hash                 func(path string, h hash.Hash) (int64, error)
	create               func(p *plan) task
	writeBlock           func(f *os.File, position int64) blockWriter
	copy                 func(from, to string, sync bool) (int64, error)
	configLoad           func(path string, f *format) (configuration, error)
	template             func(path string) ([]byte, error)
	reload               func(path string) watched
	// more are the tasks of the operations in added.
	more map[operation]func(p *plan) task
}

func findMethod(name string) (method, error) {
	for _, m := range methods {
		if m.name == name {
			return m, nil
		}
	}
	return method{}, fmt.Errorf("unknown method %q", name)
}

func (m method) operations() []operation {
	var can []operation
	for _, o := range operations {
		if m.performs(o) {
			can = append(can, o)
		}
	}
	return can
}

func (m method) performs(o operation) bool {
	if m.isNull {
		return true
	}
	switch o {
	case openClose:
		return m.openClose != nil
	case openMissing:
		return m.openMissing != nil
	case openWriteClose:
		return m.openWriteClose != nil
	case openReadClose:
		return m.openReadClose != nil
	case readWhole:
		return m.readWhole != nil
	case readBlock:
		return m.readBlock != nil
	case lines:
		return m.lines != nil
	case search:
		return m.search != nil
	case hashFile:
		return m.hash != nil
	case create:
		return m.create != nil
	case writeBlock:
		return m.writeBlock != nil
	case copyFile:
		return m.copy != nil
	case configLoad:
		return m.configLoad != nil
	case renderTemplate:
		return m.template != nil
	case reload:
		return m.reload != nil
	default:
		return m.more[o] != nil
	}
}
