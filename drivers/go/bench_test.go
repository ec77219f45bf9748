// The methods' own functions under Go's testing.B, so that its allocation
// counts can be laid beside the driver's:
// FATHOM_BENCHMARK_FILES=DIRECTORY go test -run xxx -bench . -benchmem

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

var benchmarkSizes = []int{12, 128, 512, 999, 4096, 65536, 1 << 20}

func BenchmarkReadWhole(b *testing.B) {
	for _, m := range methods {
		if m.readWhole == nil {
			continue
		}
		for _, size := range benchmarkSizes {
			path := benchmarkFile(b, size)
			buffers := newBuffers(65536, false)
			b.Run(fmt.Sprintf("method=%s/bytes=%d", m.name, size), func(b *testing.B) {
				b.ReportAllocs()
				var data sink
				for i := 0; i < b.N; i++ {
					data.begin()
					if err := m.readWhole(path, buffers, &data); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkFigures(b *testing.B) {
	b.Run("thread", func(b *testing.B) {
		var figures threadFigures
		for i := 0; i < b.N; i++ {
			figures.read()
		}
	})
}

// The driver's allocation counts are those of Go's own measure, with nothing
// of the driver's own in them.
func TestAllocationsAreThoseOfTheMethod(t *testing.T) {
	for _, m := range methods {
		if m.readWhole == nil {
			continue
		}
		for _, size := range benchmarkSizes {
			path := fileOf(t, knownBytes(size, 1))
			buffers := newBuffers(65536, false)
			var data sink
			perOperation := testing.AllocsPerRun(100, func() {
				data.begin()
				if err := m.readWhole(path, buffers, &data); err != nil {
					t.Fatal(err)
				}
			})
			command := driverProcess(nil, append([]string{"run"}, arguments(readWhole, m.name, size, 65536, path)...)...)
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
				t.Errorf("%s, %d bytes: %v allocations in 100 operations, Go counts %v each", m.name, size, got, perOperation)
			}
		}
	}
}

// benchmarkFile makes a file of this size. The length of its path counts in the
// bytes allocated, so a comparison names a directory and uses the same files.
func benchmarkFile(b *testing.B, size int) string {
	b.Helper()
	directory := os.Getenv("FATHOM_BENCHMARK_FILES")
	if directory == "" {
		directory = b.TempDir()
	}
	path := fmt.Sprintf("%s/%d", directory, size)
	if err := os.WriteFile(path, knownBytes(size, 1), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}
