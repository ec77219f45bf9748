// What every test of the driver stands on: running the real program, and files
// whose bytes are known. Then what `fathom driver check` cannot ask of every driver:
// this one's own words, variables and limits.

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

// driverProcess is the driver as a process.
func driverProcess(args ...string) *exec.Cmd {
	command := exec.Command(os.Args[0], args...)
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
		"cannot perform":         arguments(readWhole, "os.Open", 100, 10, path),
		"--path is missing":      arguments(openClose, "os.Open", 100, 10),
		"--directory is missing": arguments(create, "os.Create", 100, 10),
		"no such file":           {"--operation", "null", "--method", "null", "--latencies", filepath.Join(path, "..", "none", "l")},
		"invalid value \"x\"":    {"--operation", "null", "--method", "null", "--seed", "x"},
	} {
		code, message := exitOf(append([]string{"run"}, args...)...)
		if code != exitUsage || !strings.Contains(message, reason) {
			t.Errorf("%v: exit %d, %q, want %q", args, code, message, reason)
		}
	}
}

func TestWhatCannotBeDoneHereExitsWith77AndSaysWhy(t *testing.T) {
	path := fileOf(t, knownBytes(10_000, 3))
	// procfs has no direct I/O.
	const refusing = "/proc/self/status"
	with := func(args []string, more ...string) []string { return append(args, more...) }
	for reason, args := range map[string][]string{
		"O_DIRECT+ReadAt: O_DIRECT, blocks":               arguments(openReadClose, "os.OpenFile+O_DIRECT+ReadAt", 4096, 4096, refusing),
		"os.OpenFile+O_DIRECT: O_DIRECT":                  arguments(openClose, "os.OpenFile+O_DIRECT", 4096, 4096, refusing),
		"512, 1024, 4096 and 8096 bytes, not 8192":        with(arguments(openReadClose, "syscall.Open+Pread", 10_000, 8192, path), "--buffer", "stack"),
		"mmap: it has no form with a buffer on the stack": with(arguments(openReadClose, "mmap", 10_000, 4096, path), "--buffer", "stack"),
		"its read-whole has no form with a buffer":        with(arguments(readWhole, "syscall.Open+Pread", 10_000, 4096, path), "--buffer", "stack"),
		"read-whole with 1 thread":                        with(arguments(readWhole, "os.ReadFile", 100, 10, path), "--threads", "2"),
		"1 read in flight":                                with(arguments(readBlock, "mmap", 100, 10, path), "--queue-depth", "8"),
		"not at random places":                            with(arguments(writeBlock, "bufio.Writer", 100, 10), "--directory", t.TempDir()),
	} {
		code, message := exitOf(append([]string{"run"}, args...)...)
		if code != exitUnsupported || !strings.Contains(message, reason) {
			t.Errorf("%v: exit %d, %q, want %q", args, code, message, reason)
		}
	}
}

func TestTheVariablesOfTheDriver(t *testing.T) {
	path := fileOf(t, knownBytes(10, 1))
	for setting, wanted := range map[string]int{
		"FATHOM_GO_GC=before-batch": exitDone, "FATHOM_GO_GC=": exitDone, "FATHOM_GO_GC=always": exitUsage,
		"FATHOM_GO_LOCK=0": exitDone, "FATHOM_GO_LOCK=1": exitDone, "FATHOM_GO_LOCK=no": exitUsage,
	} {
		command := driverProcess(append([]string{"run"}, arguments(readWhole, "os.ReadFile", 10, 1, path)...)...)
		command.Env = append(command.Env, setting)
		command.Stdin = strings.NewReader("batch 3\n")
		output, _ := command.CombinedOutput()
		if code := command.ProcessState.ExitCode(); code != wanted {
			t.Errorf("%s: exit %d, %s", setting, code, output)
		}
		if said := string(output); wanted == exitUsage != strings.Contains(said, "can only be") || wanted == exitDone != strings.Contains(said, "done ops=3 ") {
			t.Errorf("%s: %s", setting, said)
		}
	}
}

func TestGarbageIsCollectedBeforeTheClock(t *testing.T) {
	t.Setenv(collectVariable, "before-batch")
	path := fileOf(t, knownBytes(10, 1))
	answers := converse(t, arguments(readWhole, "os.ReadFile", 10, 1, path), "batch 3", "batch 3")
	if figure(t, answers[0], "gc_count") != 0 {
		t.Errorf("%q", answers)
	}
}

func TestAShortFileIsAnErrorNotACrash(t *testing.T) {
	path := fileOf(t, knownBytes(5000, 1))
	for method, want := range map[string]string{
		"mmap":              "error op=mmap errno=14 path=" + path,
		"os.File.ReadAt":    "error op=read errno=ENODATA path=" + path,
		"syscall.Pread":     "error op=pread errno=ENODATA path=" + path,
		"os.File.Seek+Read": "error op=read errno=ENODATA path=" + path,
		"mmap+MADV_RANDOM":  "error op=mmap errno=14 path=" + path,
	} {
		args := append(arguments(readBlock, method, 5*4096, 4096, path), "--access", "sequential")
		answers := converse(t, args, "batch 1", "batch 4", "verify")
		if !strings.HasPrefix(answers[0], "done ops=1 ") || answers[1] != want {
			t.Errorf("%s: %q", method, answers)
		}
	}
}

func TestMoreFilesThanMayBeOpenAreNotSupported(t *testing.T) {
	var out, messages bytes.Buffer
	args := []string{"run", "--operation", "create", "--method", "os.Create", "--directory", t.TempDir(), "--close", "all"}
	code := drive(args, strings.NewReader("batch 4000000000\n"), &out, &messages)
	if code != exitUnsupported || out.String() != "ready\n" || !strings.Contains(messages.String(), "cannot be open at once") {
		t.Errorf("exit %d, %q, %q", code, out.String(), messages.String())
	}
}
