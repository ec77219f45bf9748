// The conversation: errors, schedules, release, latencies, and what a line may say.

package main

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

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
