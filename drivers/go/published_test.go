// The flawed methods: what they answer is foretold from the file's bytes alone,
// by models of the published programs, and they must answer exactly that.

package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

var word = []byte("ERROR")

// parts are the equal parts of the published search; they need not reach the end.
func parts(size, threads int, each func(start, end int)) {
	length := size / threads
	for i := 0; i < threads; i++ {
		each(i*length, i*length+length)
	}
}

// quartersModel foretells pread-quarters: occurrences that lie in one part whole.
func quartersModel(data []byte, threads int) int {
	matches := 0
	parts(len(data), threads, func(start, end int) {
		matches += bytes.Count(data[start:end], word)
	})
	return matches
}

// seekModel foretells open+Seek+Scanner.
func seekModel(data []byte, threads int) int {
	const buffer = 65536
	matches := 0
	parts(len(data), threads, func(start, end int) {
		// The Scanner holds data[at:read], the file stands at read.
		at, read, ended := start, start, false
		for {
			line, more := data[at:read], false
			if i := bytes.IndexByte(line, '\n'); i >= 0 {
				line, at = line[:i], at+i+1
			} else if ended && len(line) > 0 {
				at = read
			} else if ended || len(line) == buffer {
				// The end, or a line that does not fit.
				return
			} else {
				more = true
			}
			if more {
				n := min(buffer-(read-at), len(data)-read)
				read += n
				ended = n == 0
				continue
			}
			if bytes.Contains(line, word) {
				matches++
			}
			if read >= end {
				return
			}
		}
	})
	return matches
}

// scanned is a line as bufio.ScanLines delivers it.
func scanned(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\r")) }

// scannerModel foretells os.OpenFile+Scanner.Text; false where a line is too long.
func scannerModel(data []byte) ([][]byte, bool) {
	var all [][]byte
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		if i > 65535 || i < 0 && len(data) > 65535 {
			return nil, false
		}
		if i < 0 {
			return append(all, scanned(data)), true
		}
		all = append(all, scanned(data[:i]))
		data = data[i+1:]
	}
	return all, true
}

// piecesModel foretells pread-4KiB+Scanner.
func piecesModel(data []byte) [][]byte {
	var all [][]byte
	for len(data) > 0 {
		n := min(4096, len(data))
		inPiece, _ := scannerModel(data[:n])
		all = append(all, inPiece...)
		data = data[n:]
	}
	return all
}

// gatheredModel foretells pread-4KiB+Scanner+gather: its records, and what it never hands on.
func gatheredModel(data []byte) (records [][]byte, left []byte) {
	for len(data) > 0 {
		n := min(4096, len(data))
		inPiece, _ := scannerModel(data[:n])
		for _, line := range inPiece {
			if len(line) == 0 {
				records, left = append(records, left), nil
			} else {
				left = append(left, line...)
			}
		}
		if len(left) > 0 {
			left = append(left, '\n')
		}
		data = data[n:]
	}
	return records, left
}

func TestTheFlawedSearchesAnswerWhatTheirModelsSay(t *testing.T) {
	wrong := map[int]int{}
	for name, data := range contents() {
		path := fileOf(t, data)
		for _, threads := range []int{1, 2, 3, 4, 7} {
			args := append(arguments(search, "pread-quarters", len(data), 4096, path), "--method", "open+Seek+Scanner", "--threads", fmt.Sprint(threads))
			answers := converse(t, args, "batch 1", "verify", "batch 1 method=1", "verify method=1")
			for i, model := range []func([]byte, int) int{quartersModel, seekModel} {
				want, mine := model(data, threads), answers[2*i:2*i+2]
				if !answerOfSearch(data, want).has(mine[0], mine[1]) {
					t.Errorf("method %d of %s with %d threads: %q, the model says %d", i, name, threads, mine, want)
				}
				if want != bytes.Count(data, word) {
					wrong[i]++
				}
			}
		}
	}
	if wrong[0] == 0 || wrong[1] == 0 {
		t.Errorf("the flaws do not show: %v", wrong)
	}
}

func TestTheFlawedLinesAreWhatTheirModelsSay(t *testing.T) {
	for name, data := range contents() {
		path := fileOf(t, data)
		records, left := gatheredModel(data)
		largest := 0
		for _, record := range records {
			largest = max(largest, len(record))
		}
		gathered := answerOfLines(records)
		gathered.counted += fmt.Sprintf(" largest=%d left=%d", largest, len(left))
		wants := map[string]rightAnswer{"pread-4KiB+Scanner": answerOfLines(piecesModel(data)), "pread-4KiB+Scanner+gather": gathered}
		for method, want := range wants {
			answers := converse(t, arguments(lines, method, len(data), 4096, path), "batch 1", "verify")
			if !want.has(answers[0], answers[1]) {
				t.Errorf("%s of %s: %q, the model says %d %d%s", method, name, answers, want.bytes, want.digest, want.counted)
			}
		}
		answers := converse(t, arguments(lines, "os.OpenFile+Scanner.Text", len(data), 4096, path), "batch 1", "verify")
		if all, fit := scannerModel(data); !fit {
			if answers[0] != "error op=scan errno=EOVERFLOW path="+path {
				t.Errorf("%s: %q", name, answers)
			}
		} else if !answerOfLines(all).has(answers[0], answers[1]) {
			t.Errorf("%s: %q", name, answers)
		}
	}
}

// The models are not so wrong that everything is: they agree with the truth
// where the flaws cannot show.
func TestTheModelsAreRightWhereTheFlawsCannotShow(t *testing.T) {
	text := []byte(strings.Repeat("an ERROR here\nnone here\n", 100))
	if quartersModel(text, 1) != 100 || len(piecesModel(text)) != 200 {
		t.Error("models of one part and of one piece")
	}
	// The first line after a read that ended the part is the last one.
	if got := seekModel(text, 1); got != 1 {
		t.Errorf("a file of one read gives %d", got)
	}
	if got := seekModel([]byte("ERROR"), 7); got != 7 {
		t.Errorf("parts of no length give %d", got)
	}
}
