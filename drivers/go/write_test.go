// create, write-block and copy: what they answer and what stands in the
// directory afterward.

package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMoreFilesThanMayBeOpenAreNotSupported(t *testing.T) {
	var out, messages bytes.Buffer
	args := []string{"run", "--operation", "create", "--method", "os.Create", "--directory", t.TempDir(), "--close", "all"}
	code := drive(args, strings.NewReader("batch 4000000000\n"), &out, &messages)
	if code != exitUnsupported || out.String() != "ready\n" || !strings.Contains(messages.String(), "cannot be open at once") {
		t.Errorf("exit %d, %q, %q", code, out.String(), messages.String())
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
