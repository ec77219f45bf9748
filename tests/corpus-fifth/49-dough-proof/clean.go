// Runs the batches of a bakery: each batch is proved by an own process, and baked when its mark is there.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

const batches = 4

func start(n int) (*exec.Cmd, error) {
	script := fmt.Sprintf("sleep 0.%02d; echo 'risen %d' > proof/.b%d; mv proof/.b%d proof/batch%d.done", 5+n, n*7, n, n, n)
	c := exec.Command("sh", "-c", script)
	return c, c.Start()
}

// watch tells of the files that come into a directory.
type watch struct {
	fd int
}

func newWatch(dir string) (*watch, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	_, err = syscall.InotifyAddWatch(fd, dir, syscall.IN_MOVED_TO)
	return &watch{fd}, err
}

// wait comes back when the mark of the batch is there.
func (w *watch) wait(name string) error {
	var buf [4096]byte
	for {
		n, err := syscall.Read(w.fd, buf[:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		for i := 0; i+syscall.SizeofInotifyEvent <= n; {
			ev := (*syscall.InotifyEvent)(unsafe.Pointer(&buf[i]))
			text := buf[i+syscall.SizeofInotifyEvent : i+syscall.SizeofInotifyEvent+int(ev.Len)]
			if strings.TrimRight(string(text), "\x00") == name {
				return nil
			}
			i += syscall.SizeofInotifyEvent + int(ev.Len)
		}
	}
}

func run() error {
	w, err := newWatch("proof")
	if err != nil {
		return err
	}
	defer syscall.Close(w.fd)
	for n := 1; n <= batches; n++ {
		c, err := start(n)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("batch%d.done", n)
		if err := w.wait(name); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join("proof", name))
		if err != nil {
			return err
		}
		fmt.Printf("batch %d: %s, into the oven\n", n, strings.TrimSpace(string(text)))
		if err := c.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("all baked")
}
