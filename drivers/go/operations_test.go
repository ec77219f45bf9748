// What the operations that compute something answer: every method, against
// answers made by the words of PROTOCOL.md. Flawed methods have their own tests.

package main

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
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

func answerTo(o operation, algorithm string, data []byte) rightAnswer {
	size := uint64(len(data))
	switch o {
	case lines:
		return answerOfLines(splitAtNewlines(data))
	case search:
		return answerOfSearch(data, bytes.Count(data, []byte("ERROR")))
	case hashFile:
		sum := md5.Sum(data)
		verified := sum[:]
		if algorithm == "xxh64" {
			h := newXXH64()
			h.Write(data)
			verified = h.Sum(nil)
		}
		return rightAnswer{size, binary.BigEndian.Uint64(verified), "", verified}
	case copyFile:
		return rightAnswer{size, 0, "", data}
	case reload:
		return rightAnswer{size, digestOf(data), "", data}
	case renderTemplate:
		page := bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("{{.Name}}"), []byte("fathom")), []byte("{{.Number}}"), []byte("42"))
		return rightAnswer{uint64(len(page)), digestOf(page), "", page}
	default:
		return rightAnswer{}
	}
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

func TestComputedAnswersAreRight(t *testing.T) {
	for name, data := range contents() {
		path := fileOf(t, data)
		for _, o := range []operation{lines, search, hashFile, copyFile, reload} {
			for _, more := range variants(o) {
				checkAnswers(t, o, name, data, path, more)
			}
		}
	}
}

// checkAnswers runs all fair methods of an operation in one session.
func checkAnswers(t *testing.T, o operation, name string, data []byte, path string, more []string) {
	t.Helper()
	args := append([]string{"--operation", string(o), "--path", path, "--size", fmt.Sprint(len(data)), "--directory", t.TempDir()}, more...)
	var fair, orders []string
	for _, m := range methods {
		if m.unavailable != "" || m.flaw != "" || !m.performs(o) {
			continue
		}
		k := len(fair)
		orders = append(orders, fmt.Sprintf("verify method=%d", k), fmt.Sprintf("batch 1 method=%d", k), fmt.Sprintf("blocks %d:1:2", k), "release", fmt.Sprintf("batch 1 method=%d", k))
		fair = append(fair, m.name)
		args = append(args, "--method", m.name)
	}
	answers, want := converse(t, args, orders...), answerTo(o, more[1], data)
	for k, method := range fair {
		mine := answers[6*k : 6*k+6]
		for _, i := range []int{1, 2, 5} {
			if !want.has(mine[i], mine[0]) {
				t.Errorf("%s %s %v on %s: %q, want %d %d%s", o, method, more, name, mine, want.bytes, want.digest, want.counted)
			}
		}
	}
}

// variants are further arguments, the second word of each set counts in answerTo.
func variants(o operation) [][]string {
	switch o {
	case search:
		return [][]string{{"--threads", "1"}, {"--threads", "4"}, {"--threads", "7"}}
	case hashFile:
		return [][]string{{"--algorithm", "md5"}, {"--algorithm", "xxh64"}}
	default:
		return [][]string{{"--seed", "1"}}
	}
}

func TestOpeningForWritingLeavesTheFile(t *testing.T) {
	for _, m := range methods {
		if m.unavailable != "" || !m.performs(openWriteClose) {
			continue
		}
		path := fileOf(t, []byte("data"))
		answers := converse(t, arguments(openWriteClose, m.name, 4, 1, path), "batch 3 preroll=1")
		left, err := os.ReadFile(path)
		if err != nil || !strings.Contains(answers[0], " bytes=0 digest=0 ") || string(left) != map[bool]string{true: "", false: "data"}[m.name == "os.Create"] {
			t.Errorf("%s: %q, left %q, %v", m.name, answers, left, err)
		}
	}
}

func TestAChangedFileIsReadAgain(t *testing.T) {
	for _, m := range methods {
		if m.reload == nil {
			continue
		}
		path := fileOf(t, []byte("one"))
		p, err := parseArguments(arguments(reload, m.name, 3, 1, path), os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		s, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		for round, text := range []string{"one", "two!", "three", "four"} {
			if round == 3 {
				s.answer("release", new(strings.Builder))
			}
			// Another file in its place, which nobody can take for the old one.
			other := fileOf(t, []byte(text))
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
			for again := 0; again < 2; again++ {
				var out strings.Builder
				s.answer("verify", &out)
				if want := fmt.Sprintf("verified bytes=%d crc32=%08x\n", len(text), crc32.ChecksumIEEE([]byte(text))); out.String() != want {
					t.Errorf("%s: %q, want %q", m.name, out.String(), want)
				}
			}
		}
	}
}
