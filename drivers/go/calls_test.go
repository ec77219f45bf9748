// The calls that methods make, counted by strace in runs of two lengths: what
// differs belongs to the operations. Skipped where strace cannot trace.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const sampleBytes, sampleBlock = 70001, 4096

// What os.Open adds to openat: the descriptor is made non-blocking (two fcntl),
// epoll refuses it with EPERM, and it is made blocking again (two more).
const osOpenCalls = "openat fcntl fcntl epoll_ctl! fcntl fcntl"

// The reads of io.ReadAll are left out: how its buffer grows is Go's to change.
func TestEveryMethodMakesItsCalls(t *testing.T) {
	needStrace(t)
	for _, check := range []struct {
		operation     operation
		method, calls string
	}{
		{openClose, "os.Open", osOpenCalls + " close"},
		{openClose, "os.OpenFile+O_DIRECT", osOpenCalls + " close"},
		{openClose, "os.OpenFile+O_CLOEXEC", osOpenCalls + " close"},
		{openClose, "syscall.Open", "openat close"},
		{openClose, "unix.Open", "openat close"},
		{openClose, "os.NewFile", "openat fcntl close"},
		{openClose, "null", ""},
		{openReadClose, "os.Open+Read", osOpenCalls + " read close"},
		{openReadClose, "os.Open+ReadAt", osOpenCalls + " pread64 close"},
		{openReadClose, "syscall.Open+Read", "openat read close"},
		{openReadClose, "syscall.Open+Pread", "openat pread64 close"},
		{openReadClose, "mmap", "openat mmap munmap close"},
		{openReadClose, "os.OpenFile+O_DIRECT+ReadAt", osOpenCalls + " pread64 close"},
		{openReadClose, "null", ""},
		{readWhole, "os.Open+ReadAt", osOpenCalls + " fstat pread64 close"},
		{readWhole, "syscall.Open+Pread", "openat" + strings.Repeat(" pread64", 19) + " close"},
		{readWhole, "mmap", "openat fstat mmap munmap close"},
		{readWhole, "os.ReadFile", osOpenCalls + " fstat read read close"},
		{readWhole, "os.Open+bufio", osOpenCalls + strings.Repeat(" read", 19) + " close"},
		{readWhole, "null", ""},
		{readBlock, "mmap", ""},
		{readBlock, "os.File.ReadAt", "pread64"},
		{readBlock, "syscall.Pread", "pread64"},
		{readBlock, "os.File.Seek+Read", "lseek read"},
		{readBlock, "null", ""},
		{readBlock, "syscall.Pread+FADV_RANDOM", "pread64"},
		{readBlock, "mmap+MADV_RANDOM", ""},
		{openMissing, "os.Open", "openat!"},
		{openMissing, "syscall.Open", "openat!"},
		{openMissing, "null", ""},
		{openWriteClose, "os.OpenFile+O_WRONLY", osOpenCalls + " close"},
		{openWriteClose, "syscall.Open+O_WRONLY", "openat close"},
		{lines, "os.Open+ReadSlice", osOpenCalls + strings.Repeat(" read", 19) + " close"},
		{lines, "pread-4KiB+Scanner", "openat" + strings.Repeat(" pread64", 19) + " close"},
		{lines, "null", ""},
		{search, "pread+bytes.Count", "openat fstat pread64 close"},
		{search, "mmap+regexp", "openat fstat mmap munmap close"},
		{search, "open+Seek+bufio+bytes.Count", osOpenCalls + " newfstatat lseek read read read close"},
		{search, "pread-quarters", "newfstatat openat pread64 close"},
		{search, "null", ""},
		{hashFile, "pread-4KiB", "openat" + strings.Repeat(" pread64", 19) + " close"},
		{hashFile, "mmap", "openat fstat mmap munmap close"},
		{hashFile, "null", ""},
		{create, "os.Create", osOpenCalls + " close"},
		{create, "syscall.Open", "openat close"},
		{create, "null", ""},
		{writeBlock, "os.File.WriteAt", "pwrite64"},
		{writeBlock, "os.File.Write", "write"},
		{writeBlock, "bufio.Writer", "write"},
		{writeBlock, "syscall.Pwrite", "pwrite64"},
		{writeBlock, "null", ""},
		{copyFile, "io.CopyBuffer", osOpenCalls + " " + osOpenCalls + " read read read write write close close"},
		{copyFile, "os.ReadFile+os.WriteFile", osOpenCalls + " " + osOpenCalls + " fstat read read write close close"},
		{copyFile, "null", ""},
		{configLoad, "mmap+Unmarshal", "openat fstat mmap munmap close"},
		{configLoad, "null", ""},
		{renderTemplate, "embed+Execute", ""},
		{renderTemplate, "os.ReadFile+Parse+Execute", osOpenCalls + " fstat read read close"},
		{reload, "os.Stat", "newfstatat"},
		{reload, "inotify", "read!"},
		{reload, "null", ""},
	} {
		m, err := findMethod(check.method)
		if err != nil || m.unavailable != "" {
			t.Logf("%s: %v %s", check.method, err, m.unavailable)
			continue
		}
		path := fileOf(t, contentOf(check.operation, sampleBytes, 1))
		if check.operation == openMissing {
			path += ".missing"
		}
		size := sampleBytes
		if check.operation == writeBlock {
			// So long that no order of blocks begins again, which would move the file's position.
			size = 200 * sampleBlock
		}
		args := func() []string {
			return append([]string{"run"}, argumentsOf(t, m, check.operation, size, sampleBlock, path)...)
		}
		if code, _ := exitOf(args()...); code == exitUnsupported {
			t.Logf("%s is not supported on this file system", check.method)
			continue
		}
		const n = 50
		few, many := fileCalls(t, args(), n), fileCalls(t, args(), 2*n)
		wanted := map[string]int{}
		for _, call := range strings.Fields(check.calls) {
			wanted[call]++
		}
		for _, call := range strings.Fields(fileCallNames) {
			for _, call := range []string{call, call + "!"} {
				if got := many[call] - few[call]; got != n*wanted[call] && !runtimeMakes(call, got-n*wanted[call]) {
					t.Errorf("%s %s: %d %s in %d operations, want %d each", check.operation, check.method, got, call, n, wanted[call])
				}
			}
		}
	}
}

// Calls on files; the runtime makes others of its own.
const fileCallNames = "open openat close read readv pread64 preadv write pwrite64 copy_file_range sendfile fsync lseek fcntl epoll_ctl fstat newfstatat statx mmap munmap fadvise64 ioctl access faccessat"

// runtimeMakes says whether a few calls too many or too few can be the runtime's:
// it maps memory now and then, and wakes who waits for events by a write that is then read.
func runtimeMakes(call string, more int) bool {
	if call == "read" || call == "write" {
		return more >= -1 && more <= 1
	}
	// It comes to wait for events, at a moment of its own, in which case epoll_ctl succeeds.
	return (call == "mmap" || call == "munmap" || call == "epoll_ctl") && more > -10 && more < 10
}

// fileCalls counts the calls of one run by name, the failed ones with a `!`.
func fileCalls(t *testing.T, args []string, operations int) map[string]int {
	t.Helper()
	log := filepath.Join(t.TempDir(), "calls")
	command := driverProcess([]string{"strace", "-f", "-qq", "-o", log}, args...)
	command.Stdin = strings.NewReader(fmt.Sprintf("batch %d\n", operations))
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	begun := regexp.MustCompile(`^\d+ +(?:<\.\.\. )?(\w+)`)
	for _, line := range strings.Split(string(text), "\n") {
		match := begun.FindStringSubmatch(line)
		if match == nil || strings.Contains(line, "<unfinished ...>") {
			continue
		}
		if strings.Contains(line, " = -1 ") {
			match[1] += "!"
		}
		counts[match[1]]++
	}
	return counts
}

func TestMarksEncloseTheTimedOperations(t *testing.T) {
	needStrace(t)
	path := fileOf(t, knownBytes(10, 1))
	args := append([]string{"run", "--marks"}, arguments(openClose, "syscall.Open", 10, 10, path)...)
	log := filepath.Join(t.TempDir(), "calls")
	command := driverProcess([]string{"strace", "-qq", "-o", log}, args...)
	command.Stdin = strings.NewReader("batch 3 preroll=2\nblocks 0:1:1\n")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.Contains(line, "/fathom-mark/begin") && strings.Contains(line, "ENOENT"):
			seen = append(seen, "begin")
		case strings.Contains(line, "/fathom-mark/end") && strings.Contains(line, "ENOENT"):
			seen = append(seen, "end")
		case strings.Contains(line, path):
			seen = append(seen, "open")
		case strings.HasPrefix(line, "getrusage"):
			seen = append(seen, "rusage")
		}
	}
	want := "open open rusage begin open open open end rusage open rusage begin open end rusage"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if answer := strings.Split(string(output), "\n")[1]; figure(t, answer, "allocs") != 3 {
		t.Errorf("the marks allocate: %s", answer)
	}
}

func needStrace(t *testing.T) {
	t.Helper()
	if output, err := exec.Command("strace", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot trace here: %v %s", err, output)
	}
}
