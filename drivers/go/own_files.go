// The directories in which operations that write make their files: a new one
// for each batch, numbered in the order of batches. And the limit on open files.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

// syncFileSystem is syncfs, which the standard library does not have.
func syncFileSystem(directory *os.File) error {
	if _, _, errno := syscall.Syscall(syscallSyncfs, directory.Fd(), 0, 0); errno != 0 {
		return &os.PathError{Op: "syncfs", Path: directory.Name(), Err: errno}
	}
	return nil
}

// syscallSyncfs is the number of the system call, which newer architectures share.
var syscallSyncfs = func() uintptr {
	if number, own := map[string]uintptr{"amd64": 306, "386": 344, "arm": 373}[runtime.GOARCH]; own {
		return number
	}
	return 267
}()

// ownFiles are the files of a batch. Tasks that make some embed it.
type ownFiles struct {
	plain
	plan  *plan
	paths []string
	next  int
	// place is what syncfs is given: their directory, or the file that is written. It
	// is nil where no file is made.
	place *os.File
}

// enter gives a batch so many paths in this directory.
func (t *ownFiles) enter(directory, prefix string, count uint64) (err error) {
	t.paths, t.next = names(directory, prefix, count), 0
	t.place, err = os.Open(directory)
	return err
}

func (t *ownFiles) nextPass() bool { return false }

func (t *ownFiles) conclude() error {
	if t.plan.sync == "syncfs" && t.place != nil {
		return syncFileSystem(t.place)
	}
	return nil
}

func (t *ownFiles) strike() error {
	if t.place == nil {
		return nil
	}
	err := t.place.Close()
	t.place = nil
	return err
}

func (t *ownFiles) readBack(out *sink) error {
	data, err := os.ReadFile(t.paths[0])
	if err != nil {
		return err
	}
	out.written(int64(len(data)))
	out.verify(data)
	return nil
}

// ownDescriptors are those that the driver needs besides the files of a batch.
const ownDescriptors = 32

// checkLimit finds more files than this process may have open.
func checkLimit(count uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	if count+ownDescriptors > limit.Cur {
		return &unsupportedError{"create", fmt.Sprintf("%d files cannot be open at once, the limit is %d", count, limit.Cur)}
	}
	return nil
}

// raiseLimit allows as many descriptors as this process may ask for.
func raiseLimit() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		limit.Cur = limit.Max
		// Whether it did is asked before files are opened.
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
}
