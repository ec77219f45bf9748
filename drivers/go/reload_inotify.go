// reload by inotify: ask the kernel whether it saw the file change.

package main

import (
	"os"
	"syscall"
)

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
