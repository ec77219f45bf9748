// What every test of the driver stands on: running the real program, and files
// whose bytes are known. Then the tests of arguments and of `describe`.

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The test program is the driver itself when this variable is set.
const actAsDriver = "FATHOM_TEST_ACT_AS_DRIVER"

func TestMain(m *testing.M) {
	if os.Getenv(actAsDriver) != "" {
		main()
	}
	os.Exit(m.Run())
}

// driverProcess is the driver as a process, behind the words of before, if any.
func driverProcess(before []string, args ...string) *exec.Cmd {
	words := append(append([]string{}, before...), os.Args[0])
	words = append(words, args...)
	command := exec.Command(words[0], words[1:]...)
	command.Env = append(os.Environ(), actAsDriver+"=1", "GOMAXPROCS=1")
	return command
}

// converse runs the driver in this process and returns its answers after `ready`.
func converse(t *testing.T, args []string, lines ...string) []string {
	t.Helper()
	var out, messages bytes.Buffer
	code := drive(append([]string{"run"}, args...), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, &messages)
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if code != exitDone || answers[0] != "ready" {
		t.Fatalf("exit %d, %q, %q", code, out.String(), messages.String())
	}
	return answers[1:]
}

// exitOf runs the driver in this process and returns its exit code and message.
func exitOf(args ...string) (int, string) {
	var out, messages bytes.Buffer
	code := drive(args, strings.NewReader(""), &out, &messages)
	return code, messages.String()
}

// figure is one key=integer of an answer.
func figure(t *testing.T, answer, key string) uint64 {
	t.Helper()
	match := regexp.MustCompile(`(?:^| )` + key + `=(\d+)`).FindStringSubmatch(answer)
	if match == nil {
		t.Fatalf("no %s in %q", key, answer)
	}
	value, err := strconv.ParseUint(match[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// knownBytes are bytes in which every page differs.
func knownBytes(size int, kind uint64) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(splitmix64(kind<<32 + uint64(i)))
	}
	return data
}

func fileOf(t *testing.T, data []byte) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "data")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

func arguments(o operation, method string, size, block int, paths ...string) []string {
	args := []string{"--operation", string(o), "--method", method, "--size", fmt.Sprint(size), "--block", fmt.Sprint(block)}
	for _, path := range paths {
		args = append(args, "--path", path)
	}
	return args
}

func TestWrongArgumentsExitWith2AndSayWhy(t *testing.T) {
	path := fileOf(t, knownBytes(100, 1))
	for reason, args := range map[string][]string{
		"unknown method":        arguments(openClose, "os.Opem", 100, 10, path),
		"cannot perform":        arguments(readWhole, "os.Open", 100, 10, path),
		"unknown operation":     arguments("open", "os.Open", 100, 10, path),
		"--path is missing":     arguments(openClose, "os.Open", 100, 10),
		"--block must be":       arguments(openReadClose, "os.Open+Read", 100, 0, path),
		"no such block":         arguments(readBlock, "mmap", 100, 101, path),
		"--method is missing":   {"--operation", "null"},
		"--operation is":        {"--method", "null"},
		"given twice":           {"--operation", "null", "--operation", "null", "--method", "null"},
		"needs --size":          {"--operation", "read-block", "--method", "mmap", "--path", path},
		"neither random nor":    {"--operation", "null", "--method", "null", "--access", "backward"},
		"unexpected argument":   {"--operation", "null", "--method", "null", "more"},
		"--directory":           arguments(create, "os.Create", 100, 10),
		"not a directory":       append(arguments(copyFile, "io.Copy", 100, 10, path), "--directory", path),
		"none of md5, xxh64":    append(arguments(hashFile, "mmap", 100, 10, path), "--algorithm", "md4"),
		"can overlap itself":    append(arguments(search, "mmap+regexp", 100, 10, path), "--word", "ABCAB"),
		"must not be empty":     append(arguments(search, "mmap+regexp", 100, 10, path), "--word", ""),
		"looks at lines":        append(arguments(search, "open+Seek+bufio+regexp", 100, 10, path), "--word", "A\nB"),
		"more than 1 thread":    append(arguments(readWhole, "os.ReadFile", 100, 10, path), "--threads", "2"),
		"must be from 1":        append(arguments(search, "null", 100, 10, path), "--threads", "0"),
		"1 read in flight":      append(arguments(readBlock, "mmap", 100, 10, path), "--queue-depth", "8"),
		"at most 1048576":       append(arguments(writeBlock, "syscall.Pwrite", 4<<20, 2<<20), "--directory", "."),
		"flag provided but":     {"--operation", "null", "--method", "null", "--quick"},
		"no such file":          {"--operation", "null", "--method", "null", "--latencies", filepath.Join(path, "..", "none", "l")},
		"invalid value \"0x1\"": {"--operation", "null", "--method", "null", "--seed", "0x1"},
	} {
		code, message := exitOf(append([]string{"run"}, args...)...)
		if code != exitUsage || !strings.Contains(message, reason) {
			t.Errorf("%v: exit %d, %q, want %q", args, code, message, reason)
		}
	}
	if code, _ := exitOf(); code != exitUsage {
		t.Errorf("no command: exit %d", code)
	}
	if code, _ := exitOf("measure"); code != exitUsage {
		t.Errorf("unknown command: exit %d", code)
	}
}

func TestARefusedFileExitsWith77(t *testing.T) {
	// procfs has no direct I/O.
	const refusing = "/proc/self/status"
	for _, args := range [][]string{
		arguments(openClose, "os.OpenFile+O_DIRECT", 4096, 4096, refusing),
		arguments(openReadClose, "os.OpenFile+O_DIRECT+ReadAt", 4096, 4096, refusing),
	} {
		code, message := exitOf(append([]string{"run"}, args...)...)
		if code != exitUnsupported || !strings.Contains(message, "O_DIRECT") {
			t.Errorf("%v: exit %d, %q", args, code, message)
		}
	}
}
