//go:build nounix

// The place of the formats that need modules, in a driver built without them.

package main

var moduleFormats map[string]format
