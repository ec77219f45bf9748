// What operations allocate, against Go's own measure.

package main

import (
	"fmt"
	"strings"
	"testing"
)

// The driver's allocation counts are those of Go's own measure, with nothing
// of the driver's own in them.
func TestAllocationsAreThoseOfTheMethod(t *testing.T) {
	for _, m := range methods {
		if m.ways[readWhole] == nil || m.Name == "null" {
			continue
		}
		for _, size := range []int{12, 128, 512, 999, 4096, 65536, 1 << 20} {
			path := fileOf(t, knownBytes(size, 1))
			bound, _ := newTask(&plan{operation: readWhole, paths: []string{path}, block: 65536}, m)
			task := bound.(*readTask)
			var data sink
			perOperation := testing.AllocsPerRun(100, func() {
				data.begin()
				if err := task.run(path, task.buffers, &data); err != nil {
					t.Fatal(err)
				}
			})
			command := driverProcess(append([]string{"run"}, arguments(readWhole, m.Name, size, 65536, path)...)...)
			// Without collections in between, which allocate a little now and then.
			command.Env = append(command.Env, "GOGC=off")
			command.Stdin = strings.NewReader("batch 100 preroll=5\n")
			output, err := command.Output()
			if err != nil {
				t.Fatal(err)
			}
			answer := strings.Split(string(output), "\n")[1]
			got, want := float64(figure(t, answer, "allocs")), 100*perOperation
			// Threads of the runtime may allocate meanwhile: a few, not one per ten operations.
			if got < want || got >= want+10 {
				t.Errorf("%s, %d bytes: %v allocations in 100 operations, Go counts %v each", m.Name, size, got, perOperation)
			}
		}
	}
}

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
	if figure(t, answer, "bytes") != operations*uint64(block) {
		t.Errorf("%s, %d bytes: %q", method, block, answer)
	}
	// What the runtime does for itself meanwhile is far below one in each operation.
	return [2]uint64{figure(t, answer, "allocs") / operations, figure(t, answer, "alloc_bytes") / operations}
}
