// create, write-block and copy: what they answer and what stands in the
// directory afterward.

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// tree lists the files below a directory with their sizes, sorted; directories
// end in a slash.
func tree(t *testing.T, root string) string {
	t.Helper()
	var list []string
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || path == root {
			return err
		}
		name := strings.TrimPrefix(path, root+"/")
		if info.IsDir() {
			list = append(list, name+"/")
		} else {
			list = append(list, fmt.Sprintf("%s=%d", name, info.Size()))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestCreateMakesFilesInADirectoryForEachBatch(t *testing.T) {
	for _, m := range methods {
		if !m.performs(create) {
			continue
		}
		for _, closing := range []string{"each", "all", "none"} {
			for _, existing := range []string{"fresh", "empty"} {
				checkCreate(t, m, 40, "--close", closing, "--existing", existing)
			}
			for _, sync := range []string{"fsync", "syncfs"} {
				checkCreate(t, m, 40, "--close", closing, "--sync", sync)
			}
			checkCreate(t, m, 0, "--close", closing)
		}
		checkCreate(t, m, 40, "--existing", "data")
	}
}

func checkCreate(t *testing.T, m method, size int, settings ...string) {
	t.Helper()
	directory, before := t.TempDir(), openFiles(t)
	args := append([]string{"--operation", "create", "--method", m.name, "--directory", directory, "--write", fmt.Sprint(size)}, settings...)
	answers := converse(t, args, "batch 3 preroll=2", "blocks 0:1:0 0:2:1", "verify")
	what := fmt.Sprintf("%s %d %v: %q", m.name, size, settings, answers)
	for i, count := range map[int]int{0: 3, 1: 1, 2: 2} {
		want := fmt.Sprintf(" bytes=%d digest=0 cpu_ns=", count*size)
		if !strings.HasPrefix(answers[i], fmt.Sprintf("done ops=%d ", count)) || !strings.Contains(answers[i], want) {
			t.Errorf("%s: no %q", what, want)
		}
	}
	text := bytes.Repeat([]byte("fathom pattern.\n"), 10)[:size]
	if answers[4] != fmt.Sprintf("verified bytes=%d crc32=%08x", size, crc32.ChecksumIEEE(text)) {
		t.Error(what)
	}
	want := ""
	if !m.isNull {
		s := size
		want = fmt.Sprintf("0/ 0/f0=%d 0/f1=%d 1/ 1/f0=%d 1/f1=%d 1/f2=%d 2/ 2/f0=%d 3/ 3/f0=%d 4/ 4/f0=%d 4/f1=%d 5/ 5/f0=%d", s, s, s, s, s, s, s, s, s, s)
	}
	if got := tree(t, directory); got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
	// Fewer are those that the collector of garbage has closed meanwhile.
	if after := openFiles(t); after > before {
		t.Errorf("%s: %d files are open, were %d", what, after, before)
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

// poolBlock is what operation k writes, by the words of PROTOCOL.md.
func poolBlock(content string, seed uint64, block int, k uint64) []byte {
	const size = 1 << 20
	all := make([]byte, size)
	for i := 0; i < size; i += 8 {
		binary.LittleEndian.PutUint64(all[i:], splitmix64(seed+uint64(i/8)))
	}
	if content == "pattern" {
		all = bytes.Repeat([]byte("fathom pattern.\n"), size/16)
	}
	at := 0
	if block <= size/2 {
		at = int(k%uint64(size/block)) * block
	}
	return all[at : at+block]
}

func TestWriteBlockWritesTheBlocksOfThePool(t *testing.T) {
	for _, m := range methods {
		if !m.performs(writeBlock) {
			continue
		}
		for _, access := range []string{"random", "sequential"} {
			if m.sequential && access == "random" {
				code, message := exitOf("run", "--operation", "write-block", "--method", m.name, "--directory", t.TempDir(), "--size", "8192", "--block", "512")
				if code != exitUnsupported || !strings.Contains(message, "one block after the other") {
					t.Errorf("%s: exit %d, %q", m.name, code, message)
				}
				continue
			}
			for _, alignment := range []string{"aligned", "unaligned"} {
				for _, existing := range []string{"fresh", "empty", "data"} {
					checkWriteBlock(t, m, 512, existing, access, alignment)
					checkWriteBlock(t, m, 5000, existing, access, alignment)
				}
				if alignment == "aligned" {
					checkWriteBlock(t, m, 600_000, "fresh", access, alignment)
				}
			}
		}
	}
}

func checkWriteBlock(t *testing.T, m method, block int, existing, access, alignment string) {
	t.Helper()
	directory, size := t.TempDir(), 3*block+100
	content := map[bool]string{true: "pattern", false: "random"}[block == 5000]
	sync := map[int]string{512: "none", 5000: "fsync", 600_000: "syncfs"}[block]
	args := append(arguments(writeBlock, m.name, size, block), "--directory", directory, "--seed", "9", "--content", content,
		"--existing", existing, "--access", access, "--alignment", alignment, "--sync", sync)
	answers := converse(t, args, "batch 5 preroll=2", "verify", "blocks 0:4:0")
	what := fmt.Sprintf("%s %d %s %s %s: %q", m.name, block, existing, access, alignment, answers)
	p, err := parseArguments(args, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	file := []byte{}
	if existing == "data" {
		file = bytes.Repeat([]byte("fathom pattern.\n"), size/16+1)[:size]
	}
	write := func(k uint64) uint64 {
		offset, data := int(p.offset(k)), poolBlock(content, 9, block, k)
		if end := offset + block; end > len(file) {
			file = append(file, make([]byte, end-len(file))...)
		}
		copy(file[offset:], data)
		return digestOf(data)
	}
	digests := map[int]uint64{}
	for k := uint64(0); k < 7; k++ {
		if digest := write(k); k >= 2 {
			digests[0] += digest
		}
	}
	first := poolBlock(content, 9, block, 0)
	if answers[1] != fmt.Sprintf("verified bytes=%d crc32=%08x", block, crc32.ChecksumIEEE(first)) {
		t.Error(what)
	}
	write(0)
	if existing != "data" {
		file = nil
	}
	for k := uint64(7); k < 11; k++ {
		digests[2] += write(k)
	}
	for i, count := range map[int]int{0: 5, 2: 4} {
		if want := fmt.Sprintf(" bytes=%d digest=%d cpu_ns=", count*block, digests[i]); !strings.Contains(answers[i], want) {
			t.Errorf("%s: no %q", what, want)
		}
	}
	// What the last batch left is all that is left.
	want, at := "", "0/f"
	if !m.isNull && existing == "data" {
		want = fmt.Sprintf("0/ 0/f=%d", len(file))
	} else if !m.isNull {
		want, at = fmt.Sprintf("0/ 1/ 2/ 3/ 3/f=%d", len(file)), "3/f"
	}
	if got := tree(t, directory); got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
	if m.isNull {
		return
	}
	if got, err := os.ReadFile(filepath.Join(directory, at)); err != nil || !bytes.Equal(got, file) {
		t.Errorf("%s: the file differs, %v", what, err)
	}
}

func TestCopiesGoBeforeTheNextBatch(t *testing.T) {
	for _, m := range methods {
		if !m.performs(copyFile) {
			continue
		}
		for _, sync := range []string{"none", "fsync", "syncfs"} {
			data := knownBytes(70_001, 1)
			path, directory := fileOf(t, data), t.TempDir()
			args := append(arguments(copyFile, m.name, len(data), 1, path), "--directory", directory, "--sync", sync)
			answers := converse(t, args, "batch 2 preroll=1", "batch 3")
			want := ""
			if !m.isNull {
				want = "0/ 1/ 2/ 2/c0=70001 2/c1=70001 2/c2=70001"
			}
			if got := tree(t, directory); got != want || !strings.Contains(answers[1], fmt.Sprintf(" bytes=%d digest=0 ", 3*len(data))) {
				t.Errorf("%s %s: %q, %s", m.name, sync, answers, got)
			}
			if m.isNull {
				continue
			}
			if got, err := os.ReadFile(filepath.Join(directory, "2/c2")); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: the copy differs, %v", m.name, err)
			}
		}
	}
}

func TestLatenciesCoverAllPasses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "latencies")
	args := []string{"--operation", "create", "--method", "os.Create", "--directory", t.TempDir(), "--write", "10", "--close", "all", "--latencies", file}
	answers := converse(t, args, "batch 5 preroll=2")
	data, err := os.ReadFile(file)
	if err != nil || len(data) != 5*8 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	sum := uint64(0)
	for i := 0; i < len(data); i += 8 {
		sum += binary.LittleEndian.Uint64(data[i:])
	}
	if whole := figure(t, answers[0], "ns"); sum > whole || sum < whole/2 {
		t.Errorf("operations took %d ns of a batch of %d ns", sum, whole)
	}
}
