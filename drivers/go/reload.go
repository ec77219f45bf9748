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

func reloads(watch func(path string) watched) way {
	return func(p *plan) (task, error) {
		t := &reloadTask{}
		for _, path := range p.paths {
			t.files = append(t.files, watch(path))
		}
		return t, nil
	}
}

// reloadTask performs reload.
type reloadTask struct{ files []watched }

func (t *reloadTask) perform(which int, _ int64, out *sink) error {
	data, err := t.files[which].current()
	if err != nil {
		return err
	}
	out.take(data)
	return nil
}

func (t *reloadTask) takeUp() error { return t.each(watched.takeUp) }

func (t *reloadTask) release() error { return t.each(watched.release) }

func (t *reloadTask) each(do func(watched) error) error {
	for _, file := range t.files {
		if err := do(file); err != nil {
			return err
		}
	}
	return nil
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
type readFile struct{ statFile }

func watchByReading(path string) watched { return &readFile{statFile{path: path}} }

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

const changes = syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_MOVE_SELF | syscall.IN_DELETE_SELF

// inotifyFile has an inotify descriptor of its own, open between operations.
type inotifyFile struct {
	statFile
	fd     int
	events []byte
}

func watchByInotify(path string) watched {
	return &inotifyFile{statFile: statFile{path: path}, fd: -1, events: make([]byte, 4096)}
}

func (f *inotifyFile) current() ([]byte, error) {
	_, err := syscall.Read(f.fd, f.events)
	switch err {
	case syscall.EAGAIN:
		return f.held, nil
	case nil:
		// Changed, or another file in its place: watch and read what is there now.
		if err := f.release(); err != nil {
			return nil, err
		}
		err := f.takeUp()
		return f.held, err
	default:
		return nil, &os.PathError{Op: "read", Path: f.path, Err: err}
	}
}

// takeUp watches before it looks, so that no change falls between.
func (f *inotifyFile) takeUp() error {
	if f.fd >= 0 {
		return nil
	}
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		return &os.PathError{Op: "inotify_init1", Path: f.path, Err: err}
	}
	if _, err := syscall.InotifyAddWatch(fd, f.path, changes); err != nil {
		syscall.Close(fd)
		return &os.PathError{Op: "inotify_add_watch", Path: f.path, Err: err}
	}
	if _, err := f.statFile.current(); err != nil {
		syscall.Close(fd)
		return err
	}
	f.fd = fd
	return nil
}

func (f *inotifyFile) release() error {
	if f.fd < 0 {
		return nil
	}
	err := syscall.Close(f.fd)
	f.fd = -1
	return err
}
