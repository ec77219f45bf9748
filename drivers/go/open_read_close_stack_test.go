package main

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

// published is the pair of numbers that `go test -benchmem` prints for the
// publication's loop with a name as short: 16 B/op and 1 allocs/op, the name as
// the kernel takes it. The block takes no part in it.
func TestBufferOnTheStackIsNoAllocation(t *testing.T) {
	path := fileOf(t, knownBytes(10_000, 1))
	name := uint64(len(path)+1+15) / 16 * 16
	for _, method := range []string{"syscall.Open+Pread", "syscall.Open+Read", "os.Open+Read", "os.Open+ReadAt"} {
		least := allocatedBy(t, method, path, "stack", 512)
		for _, block := range []int{1024, 4096, 8096} {
			if stack := allocatedBy(t, method, path, "stack", block); stack != least {
				t.Errorf("%s: %v per operation with %d bytes on the stack, %v with 512", method, stack, block, least)
			}
			heap := allocatedBy(t, method, path, "fresh", block)
			if heap[0] != least[0]+1 || heap[1] < least[1]+uint64(block) {
				t.Errorf("%s: %v per operation with %d bytes on the heap, %v on the stack", method, heap, block, least)
			}
		}
		if strings.HasPrefix(method, "syscall") && (least[0] != 1 || least[1] < name || least[1] > name+32) {
			t.Errorf("%s: %v per operation beside a name of %d bytes", method, least, len(path)+1)
		}
	}
}

// allocatedBy is the number of allocations and of bytes of one operation.
func allocatedBy(t *testing.T, method, path, buffer string, block int) [2]uint64 {
	t.Helper()
	const operations = 200
	args := append(arguments(openReadClose, method, 10_000, block, path), "--buffer", buffer)
	answer := converse(t, args, fmt.Sprintf("batch %d preroll=10", operations))[0]
	// What the runtime does for itself meanwhile is far below one in each operation.
	return [2]uint64{figure(t, answer, "allocs") / operations, figure(t, answer, "alloc_bytes") / operations}
}

func TestBufferOnTheStackDeliversTheStartOfTheFile(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 5000, 10_000} {
		data := knownBytes(size, 2)
		path := fileOf(t, data)
		for _, method := range []string{"syscall.Open+Pread", "syscall.Open+Read", "os.Open+Read", "os.Open+ReadAt", "null"} {
			for _, block := range []int{512, 1024, 4096, 8096} {
				want := delivered(openReadClose, data, block, 0)
				answers := converse(t, append(arguments(openReadClose, method, size, block, path), "--buffer", "stack"), "verify", "batch 3")
				if answers[0] != fmt.Sprintf("verified bytes=%d crc32=%08x", len(want), crc32.ChecksumIEEE(want)) || figure(t, answers[1], "digest") != 3*digestOf(want) {
					t.Errorf("%s, %d of %d bytes: %q", method, block, size, answers)
				}
			}
		}
	}
}

func TestBufferOnTheStackIsRefusedWhereThereIsNone(t *testing.T) {
	path := fileOf(t, knownBytes(10_000, 3))
	for reason, args := range map[string][]string{
		"512, 1024, 4096 and 8096 bytes, not 8192":          arguments(openReadClose, "syscall.Open+Pread", 10_000, 8192, path),
		"mmap: it has no form with a buffer on the stack":   arguments(openReadClose, "mmap", 10_000, 4096, path),
		"its read-whole has no form with a buffer on the s": arguments(readWhole, "syscall.Open+Pread", 10_000, 4096, path),
	} {
		code, message := exitOf(append(append([]string{"run"}, args...), "--buffer", "stack")...)
		if code != exitUnsupported || !strings.Contains(message, reason) {
			t.Errorf("%d %q, not %q", code, message, reason)
		}
	}
}
