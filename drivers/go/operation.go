// The words for operations. What they mean stands in PROTOCOL.md.

package main

// operation is one logical file action.
type operation string

const (
	nothing       operation = "null"
	openClose     operation = "open-close"
	openReadClose operation = "open-read-close"
	readWhole     operation = "read-whole"
	readBlock     operation = "read-block"
)

var operations = []operation{nothing, openClose, openReadClose, readWhole, readBlock}
