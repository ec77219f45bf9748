// The conversation: errors, schedules, release, latencies, and what a line may say.

package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"
)

func TestAMissingFileIsAnErrorLineAndTheDriverGoesOn(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "a name with spaces")
	for _, m := range methods {
		for _, o := range m.operations() {
			if !looksForItsFile(m, o) {
				continue
			}
			answers := converse(t, argumentsOf(t, m, o, 8192, 4096, missing), "batch 2", "blocks 0:1:0 0:1:0", "verify", "release")
			for _, answer := range answers[:3] {
				if !strings.HasPrefix(answer, "error op=") || !strings.HasSuffix(answer, " errno=ENOENT path="+missing) {
					t.Errorf("%s %s: %q", o, m.name, answers)
				}
			}
			if len(answers) != 4 || answers[3] != "released" {
				t.Errorf("%s %s: %q", o, m.name, answers)
			}
			if err := os.WriteFile(missing, contentOf(o, 8192, 1), 0o600); err != nil {
				t.Fatal(err)
			}
			if answer := converse(t, argumentsOf(t, m, o, 8192, 4096, missing), "batch 1")[0]; !strings.HasPrefix(answer, "done ops=1 ") {
				t.Errorf("%s %s: %q", o, m.name, answer)
			}
			os.Remove(missing)
		}
	}
}

// looksForItsFile is false where a missing file is no failure.
func looksForItsFile(m method, o operation) bool {
	switch {
	case m.unavailable != "" || !o.takesFiles() || o == openMissing:
		return false
	case m.isNull:
		return o != openClose && o != openWriteClose
	case o == openWriteClose:
		return m.name != "os.Create"
	case o == renderTemplate:
		return m.name == "os.ReadFile+Parse+Execute"
	default:
		return true
	}
}

func TestAnErrorEndsAScheduleAfterTheBatchesBeforeIt(t *testing.T) {
	good, missing := fileOf(t, knownBytes(10, 1)), filepath.Join(t.TempDir(), "none")
	answers := converse(t, arguments(openClose, "os.Open", 10, 10, good, missing), "blocks 0:1:0 0:1:0 0:1:0", "batch 1")
	if len(answers) != 3 || !strings.HasPrefix(answers[0], "done ops=1 ") ||
		answers[1] != "error op=open errno=ENOENT path="+missing || !strings.HasPrefix(answers[2], "done ops=1 ") {
		t.Errorf("%q", answers)
	}
}

func TestAShortFileIsAnErrorNotACrash(t *testing.T) {
	path := fileOf(t, knownBytes(5000, 1))
	for method, want := range map[string]string{
		"mmap":              "error op=mmap errno=EFAULT path=" + path,
		"os.File.ReadAt":    "error op=read errno=ENODATA path=" + path,
		"syscall.Pread":     "error op=pread errno=ENODATA path=" + path,
		"os.File.Seek+Read": "error op=read errno=ENODATA path=" + path,
		"mmap+MADV_RANDOM":  "error op=mmap errno=EFAULT path=" + path,
	} {
		args := append(arguments(readBlock, method, 5*4096, 4096, path), "--access", "sequential")
		answers := converse(t, args, "batch 1", "batch 4", "verify")
		if !strings.HasPrefix(answers[0], "done ops=1 ") || answers[1] != want {
			t.Errorf("%s: %q", method, answers)
		}
	}
}

func TestNonsenseIsAnsweredWithTheLine(t *testing.T) {
	path := fileOf(t, knownBytes(10, 1))
	for _, line := range []string{
		"", "batch", "batch x", "batch -1", "batch +1", "batch 1 method=1", "batch 1 method=", "batch 1 preroll=x",
		"batch 1 2", "batch 1 speed=3", "batch 99999999999999999999", "blocks", "blocks 0:1", "blocks 0:1:2:3", "blocks 0:1:0 1:1:0",
		"blocks a:1:0", "verify 0", "verify method=1", "verify method=0 method=0", "release now", "quit now", "Batch 1",
	} {
		answers := converse(t, arguments(openClose, "os.Open", 10, 10, path), line, "batch 0")
		if answers[0] != "error op=protocol errno=EINVAL path="+line || !strings.HasPrefix(answers[1], "done ops=0 ") {
			t.Errorf("%q: %q", line, answers)
		}
	}
}

func TestQuitEndsTheConversation(t *testing.T) {
	path := fileOf(t, knownBytes(10, 1))
	if answers := converse(t, arguments(openClose, "os.Open", 10, 10, path), "release", "quit", "release"); len(answers) != 1 {
		t.Errorf("%q", answers)
	}
}

func TestMethodsAreNumberedAndCountedApart(t *testing.T) {
	first, second := knownBytes(10, 1), knownBytes(10, 2)
	args := append(arguments(readWhole, "os.ReadFile", 10, 10, fileOf(t, first), fileOf(t, second)),
		"--method", "null", "--method", "os.ReadFile")
	answers := converse(t, args, "batch 1", "batch 1 method=2", "blocks 1:1:0 0:1:0 1:1:0", "batch 1 preroll=1 method=2")
	for i, want := range map[int]byte{0: first[0], 1: first[0], 2: first[0], 3: second[0], 4: second[0], 6: first[0]} {
		if figure(t, answers[i], "digest") != uint64(want) {
			t.Errorf("answer %d of %q, want digest %d", i, answers, want)
		}
	}
}

func TestReleaseClosesAndUnmaps(t *testing.T) {
	path := fileOf(t, knownBytes(8192, 1))
	for _, method := range []string{"os.File.ReadAt", "syscall.Pread", "os.File.Seek+Read", "mmap", "syscall.Pread+FADV_RANDOM", "mmap+MADV_RANDOM", "mmap+MADV_SEQUENTIAL", "null"} {
		p, err := parseArguments(arguments(readBlock, method, 8192, 4096, path), os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		s, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		if held := holds(t, path); held != (method != "null") {
			t.Errorf("%s: held after prepare: %v", method, held)
		}
		var out strings.Builder
		s.answer("release", &out)
		if out.String() != "released\n" || holds(t, path) {
			t.Errorf("%s: %q, held after release: %v", method, out.String(), holds(t, path))
		}
		out.Reset()
		s.answer("batch 2", &out)
		if !strings.HasPrefix(out.String(), "done ops=2 ") || holds(t, path) != (method != "null") {
			t.Errorf("%s: %q", method, out.String())
		}
		s.answer("release", &out)
	}
}

// holds is true when this process has the file open or mapped.
func holds(t *testing.T, path string) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(maps), path) {
		return true
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && target == path {
			return true
		}
	}
	return false
}

func TestLatenciesOfEachBatchAreAppended(t *testing.T) {
	path, file := fileOf(t, knownBytes(8192, 1)), filepath.Join(t.TempDir(), "latencies")
	args := append(arguments(readBlock, "os.File.ReadAt", 8192, 4096, path), "--latencies", file)
	answers := converse(t, args, "batch 5 preroll=2", "batch 3", "blocks 0:4:0")
	data, err := os.ReadFile(file)
	if err != nil || len(data) != 8*8 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	for i, answer := range answers[:2] {
		sum := uint64(0)
		for k := []int{0, 5}[i]; k < []int{5, 8}[i]; k++ {
			ns := binary.LittleEndian.Uint64(data[8*k:])
			if ns == 0 {
				t.Errorf("operation %d took no time", k)
			}
			sum += ns
		}
		if whole := figure(t, answer, "ns"); sum > whole {
			t.Errorf("operations took %d ns of a batch of %d ns", sum, whole)
		}
	}
}

func TestBuffersAreReusedOrFreshAndAligned(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		b := newBuffers(5000, fresh)
		one, two := b.nextAligned(), b.nextAligned()
		if same := unsafe.SliceData(one) == unsafe.SliceData(two); same == fresh {
			t.Errorf("fresh %v: the same buffer: %v", fresh, same)
		}
		if one, two := b.next(), b.next(); (unsafe.SliceData(one) == unsafe.SliceData(two)) == fresh || len(one) != 5000 {
			t.Errorf("fresh %v: buffers of %d bytes", fresh, len(one))
		}
		if address := uintptr(unsafe.Pointer(unsafe.SliceData(one))); address%4096 != 0 || len(one) != 5000 {
			t.Errorf("fresh %v: %d bytes at %#x", fresh, len(one), address)
		}
	}
}

func TestErrnoNames(t *testing.T) {
	directory := t.TempDir()
	answers := converse(t, arguments(readWhole, "os.ReadFile", 10, 10, directory), "batch 1")
	if want := fmt.Sprintf("error op=read errno=EISDIR path=%s", directory); answers[0] != want {
		t.Errorf("%q, want %q", answers, want)
	}
}
