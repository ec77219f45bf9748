// What stays of a file that is opened; and files that find the mistakes of flawed methods, with
// the right answers, for the tests of those methods.

package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
)

// logLines are lines of several lengths, some empty, some with ERROR in them,
// cut off at size.
func logLines(size int, kind uint64) []byte {
	var text bytes.Buffer
	for i := uint64(0); text.Len() < size; i++ {
		r := splitmix64(kind<<32 + i)
		switch {
		case r%11 == 0:
			text.WriteByte('\n')
		case r%3 == 0:
			fmt.Fprintf(&text, "2025-03-04 worker %d ERROR %s after ERROR\r\n", r%7, strings.Repeat("x", int(r>>8%90)))
		default:
			fmt.Fprintf(&text, "2025-03-04 worker %d INFO %s\n", r%7, strings.Repeat("y", int(r>>8%120)))
		}
	}
	return text.Bytes()[:size]
}

// rightAnswer is what one operation on data must deliver.
type rightAnswer struct {
	bytes, digest uint64
	counted       string
	verified      []byte
}

func answerOfLines(all [][]byte) rightAnswer {
	a := rightAnswer{counted: fmt.Sprintf(" lines=%d", len(all))}
	for _, line := range all {
		a.bytes += uint64(len(line))
		if len(line) > 0 {
			a.digest += uint64(line[0])
		}
		a.verified = append(append(a.verified, line...), '\n')
	}
	return a
}

func answerOfSearch(data []byte, count int) rightAnswer {
	return rightAnswer{uint64(len(data)), uint64(count), fmt.Sprintf(" matches=%d", count), []byte(fmt.Sprint(count))}
}

func splitAtNewlines(data []byte) [][]byte {
	all := bytes.Split(data, []byte("\n"))
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

// has says whether a batch of one operation and a `verify` gave this answer.
func (a rightAnswer) has(done, verified string) bool {
	return strings.HasPrefix(done, "done ops=1 ns=") &&
		strings.Contains(done, fmt.Sprintf(" bytes=%d digest=%d%s cpu_ns=", a.bytes, a.digest, a.counted)) &&
		verified == fmt.Sprintf("verified bytes=%d crc32=%08x", a.bytes, crc32.ChecksumIEEE(a.verified))
}

// contents are files that find mistakes.
func contents() map[string][]byte {
	all := map[string][]byte{
		"empty":                   nil,
		"one byte":                []byte("E"),
		"one newline":             []byte("\n"),
		"the word alone":          []byte("ERROR"),
		"no newline at the end":   []byte("ERROR one\n\nERROR two\r\nlast ERROR"),
		"log lines":               logLines(300_000, 1),
		"more log lines":          logLines(400_003, 2),
		"lines of 16 bytes":       bytes.Repeat([]byte("an ERROR, a line"), 20_000),
		"random bytes":            knownBytes(300_001, 3),
		"a long line":             append(append(logLines(70_000, 4), bytes.Repeat([]byte("z ERROR"), 12_000)...), logLines(200_000, 5)...),
		"a line of 65535 bytes":   append(bytes.Repeat([]byte("x"), 65_535), "\nERROR\n"...),
		"a line of 65536 bytes":   append(bytes.Repeat([]byte("x"), 65_536), "\nERROR\n"...),
		"65535 bytes, unended":    append([]byte("ERROR\n"), bytes.Repeat([]byte("x"), 65_535)...),
		"65536 bytes, unended":    append([]byte("ERROR\n"), bytes.Repeat([]byte("x"), 65_536)...),
		"carriage returns":        bytes.Repeat([]byte("\r\r\n\rERROR\r\n\n\r"), 9_000),
		"newlines and the word":   bytes.Repeat([]byte("\nERROR"), 30_000),
		"words one after another": bytes.Repeat([]byte("ERROR"), 40_003),
	}
	// A known piece of a page's border, one word over it.
	border := bytes.Repeat([]byte("."), 3*4096)
	for i := 4096; i < len(border); i += 4096 {
		copy(border[i-2:], "ERROR")
	}
	all["words over the borders of pages"] = border
	return all
}

func TestOpeningForWritingLeavesTheFile(t *testing.T) {
	for _, m := range methods {
		if m.ways[openWriteClose] == nil {
			continue
		}
		path := fileOf(t, []byte("data"))
		answers := converse(t, arguments(openWriteClose, m.Name, 4, 1, path), "batch 3 preroll=1")
		left, err := os.ReadFile(path)
		if err != nil || !strings.Contains(answers[0], " bytes=0 digest=0 ") || string(left) != map[bool]string{true: "", false: "data"}[m.Name == "os.Create"] {
			t.Errorf("%s: %q, left %q, %v", m.Name, answers, left, err)
		}
	}
}
