// The directories in which operations that write make their files: a new one
// for each batch, numbered in the order of batches.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// directories hands out directories; all methods of a run share it.
type directories struct {
	root string
	made int
	// passing are files that go before the next batch starts its clock.
	passing []string
	// dataFile is what write-block overwrites, once it is made.
	dataFile string
}

// next removes what the batch before left to be removed and makes a directory.
func (d *directories) next() (string, error) {
	for len(d.passing) > 0 {
		last := len(d.passing) - 1
		// A batch that failed did not make all of its files.
		if err := os.Remove(d.passing[last]); err != nil && !os.IsNotExist(err) {
			return "", err
		}
		d.passing = d.passing[:last]
	}
	path := filepath.Join(d.root, fmt.Sprint(d.made))
	if err := os.Mkdir(path, 0o755); err != nil {
		return "", err
	}
	d.made++
	return path, nil
}

// prepared is the directory that whoever asked for the batch has made, with the
// files that the batch is to find; empty where there is none.
func (d *directories) prepared() string {
	path := filepath.Join(d.root, "prepared")
	if found, err := os.Stat(path); err != nil || !found.IsDir() {
		return ""
	}
	return path
}

// names are the paths of count files in a directory, made before the clock runs.
func names(directory, prefix string, count uint64) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf("%s/%s%d", directory, prefix, i)
	}
	return list
}

// writeSynced makes a file whose data is on the device.
func writeSynced(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for piece := patternText(1 << 20); size > 0; size -= int64(len(piece)) {
		if _, err := f.Write(piece[:min(int64(len(piece)), size)]); err != nil {
			return err
		}
	}
	return f.Sync()
}

const pattern = "fathom pattern.\n"

// patternText is the pattern, repeated.
func patternText(length int64) []byte {
	text := make([]byte, length)
	for i := range text {
		text[i] = pattern[i%len(pattern)]
	}
	return text
}

// syncFileSystem is syncfs, which the standard library does not have.
func syncFileSystem(directory *os.File) error {
	if _, _, errno := syscall.Syscall(syscallSyncfs, directory.Fd(), 0, 0); errno != 0 {
		return &os.PathError{Op: "syncfs", Path: directory.Name(), Err: errno}
	}
	return nil
}
