// The words for operations. What they mean stands in PROTOCOL.md.

package main

// operation is one logical file action.
type operation string

const (
	nothing        operation = "null"
	openClose      operation = "open-close"
	openMissing    operation = "open-missing"
	openWriteClose operation = "open-write-close"
	openReadClose  operation = "open-read-close"
	readWhole      operation = "read-whole"
	readBlock      operation = "read-block"
	lines          operation = "lines"
	search         operation = "search"
	hashFile       operation = "hash"
	create         operation = "create"
	writeBlock     operation = "write-block"
	copyFile       operation = "copy"
	configLoad     operation = "config-load"
	renderTemplate operation = "template"
	reload         operation = "reload"
)

var operations = []operation{
	nothing, openClose, openMissing, openWriteClose, openReadClose, readWhole, readBlock, lines, search, hashFile,
	create, writeBlock, copyFile, configLoad, renderTemplate, reload, truncate,
}

// added are operations on files of their own that stand in one file each, with
// what null does for them.
var added = map[operation]func(p *plan) task{truncate: newNullTruncateTask}

// writes is true of operations that make files of their own.
func (o operation) writes() bool {
	return o == create || o == writeBlock || o == copyFile || added[o] != nil
}

// takesFiles is true of operations on files that are there before.
func (o operation) takesFiles() bool {
	return o != nothing && o != create && o != writeBlock && added[o] == nil
}

// hasOffsets is true of operations that go to a place in their file.
func (o operation) hasOffsets() bool { return o == readBlock || o == writeBlock }

// counts is the key under which the answer says how many were found; empty
// where nothing is counted.
func (o operation) counts() string {
	switch o {
	case lines:
		return "lines"
	case search:
		return "matches"
	default:
		return ""
	}
}
