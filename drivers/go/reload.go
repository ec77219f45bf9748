// reload: make sure that what the program holds of a file is current.

package main

import (
	"bytes"
	"os"
	"syscall"
)

// watched is a file that is held and can be seen to change.
type watched interface {
	// current is the file's data as it is now.
	current() ([]byte, error)
	// takeUp and release are for what must be open in between; the data is
	// held on, since to read it again would fill the cache that the caller
	// wants to empty.
	takeUp() error
	release() error
}

// reloadTask performs reload.
type reloadTask struct {
	paths []string
	watch func(path string) watched
	files []watched
}

func newReloadTask(p *plan, watch func(path string) watched) task {
	t := &reloadTask{paths: p.paths, watch: watch}
	for _, path := range p.paths {
		t.files = append(t.files, watch(path))
	}
	return t
}

func (t *reloadTask) perform(which int, _ int64, out *sink) error {
	data, err := t.files[which].current()
	if err != nil {
		return err
	}
	out.take(data)
	return nil
}

func (t *reloadTask) takeUp() error {
	for _, file := range t.files {
		if err := file.takeUp(); err != nil {
			return err
		}
	}
	return nil
}

func (t *reloadTask) release() error {
	var first error
	for _, file := range t.files {
		if err := file.release(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// identity is what tells one version of a file from another.
type identity struct {
	modifiedNs int64
	size       int64
	inode      uint64
}

// statFile looks at the file's metadata.
type statFile struct {
	path string
	held []byte
	seen identity
}

func watchByStat(path string) watched { return &statFile{path: path} }

func (f *statFile) current() ([]byte, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, err
	}
	now := identity{info.ModTime().UnixNano(), info.Size(), info.Sys().(*syscall.Stat_t).Ino}
	if now == f.seen {
		return f.held, nil
	}
	if f.held, err = os.ReadFile(f.path); err != nil {
		return nil, err
	}
	// What changes from now on differs from what was seen before reading.
	f.seen = now
	return f.held, nil
}

func (f *statFile) takeUp() error {
	if f.held != nil {
		return nil
	}
	_, err := f.current()
	return err
}

func (f *statFile) release() error { return nil }

// readFile reads the file again.
type readFile struct {
	path string
	held []byte
}

func watchByReading(path string) watched { return &readFile{path: path} }

func (f *readFile) current() ([]byte, error) {
	data, err := os.ReadFile(f.path)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(data, f.held) {
		f.held = data
	}
	return f.held, nil
}

func (f *readFile) takeUp() error {
	if f.held != nil {
		return nil
	}
	_, err := f.current()
	return err
}

func (f *readFile) release() error { return nil }
