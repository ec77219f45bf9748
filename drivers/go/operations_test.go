// Lines and searches of files that find mistakes, what stays of a file that is opened,
// and files that change: every method, by the words of PROTOCOL.md. Flawed methods
// have their own tests.

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

func TestLinesAndMatchesAreRight(t *testing.T) {
	for name, data := range contents() {
		path := fileOf(t, data)
		checkAnswers(t, lines, "1", name, path, answerOfLines(splitAtNewlines(data)))
		for _, threads := range []string{"1", "4", "7"} {
			checkAnswers(t, search, threads, name, path, answerOfSearch(data, bytes.Count(data, word)))
		}
	}
}

// checkAnswers runs all fair methods of an operation in one session.
func checkAnswers(t *testing.T, o operation, threads, name, path string, want rightAnswer) {
	t.Helper()
	args := []string{"--operation", string(o), "--path", path}
	if o == search {
		args = append(args, "--threads", threads)
	}
	var fair, orders []string
	for _, m := range methods {
		if m.Unavailable != "" || m.Flaw != "" || m.ways[o] == nil {
			continue
		}
		orders = append(orders, fmt.Sprintf("verify method=%d", len(fair)), fmt.Sprintf("batch 1 method=%d", len(fair)))
		fair = append(fair, m.Name)
		args = append(args, "--method", m.Name)
	}
	answers := converse(t, args, orders...)
	for k, method := range fair {
		if mine := answers[2*k : 2*k+2]; !want.has(mine[1], mine[0]) {
			t.Errorf("%s %s, %s threads, on %s: %q, want %d %d%s", o, method, threads, name, mine, want.bytes, want.digest, want.counted)
		}
	}
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

func TestAChangedFileIsReadAgain(t *testing.T) {
	for _, m := range methods {
		if m.ways[reload] == nil || m.Name == "null" {
			continue
		}
		path := fileOf(t, []byte("one"))
		p, err := parseArguments(arguments(reload, m.Name, 3, 1, path), os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		s, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		for round, text := range []string{"one", "two!", "three", "four"} {
			if round == 3 {
				_ = s.answer("release", new(strings.Builder))
			}
			// Another file in its place, which nobody can take for the old one.
			other := fileOf(t, []byte(text))
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
			for again := 0; again < 2; again++ {
				var out strings.Builder
				_ = s.answer("verify", &out)
				if want := fmt.Sprintf("verified bytes=%d crc32=%08x\n", len(text), crc32.ChecksumIEEE([]byte(text))); out.String() != want {
					t.Errorf("%s: %q, want %q", m.Name, out.String(), want)
				}
			}
		}
	}
}

func TestTheDigestDoesNotDependOnThePieces(t *testing.T) {
	data := knownBytes(20000, 4)
	want := uint64(0)
	for i := 0; i < len(data); i += 4096 {
		want += uint64(data[i])
	}
	for _, piece := range []int{1, 7, 1000, 4095, 4096, 4097, 20000} {
		s := sink{full: true}
		for round := 0; round < 2; round++ {
			s.begin()
			for rest := data; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				s.take(rest[:min(piece, len(rest))])
			}
		}
		if s.digest != 2*want || s.bytes != 40000 {
			t.Errorf("pieces of %d: %+v", piece, s)
		}
		if want := crc32.ChecksumIEEE(append(append([]byte{}, data...), data...)); s.crc != want {
			t.Errorf("pieces of %d: crc %08x, want %08x", piece, s.crc, want)
		}
	}
}
