// XXH64 against values of its reference implementation, in pieces of any length.

package main

import (
	"strings"
	"testing"
)

func TestXXH64(t *testing.T) {
	for text, want := range map[string]uint64{
		"":    0xEF46DB3751D8E999,
		"a":   0xD24EC4F1A98C6E5B,
		"abc": 0x44BC2CF5AD770999,
		"The quick brown fox jumps over the lazy dog":          0x0B242D361FDA71BC,
		pattern + pattern + "abcd":                             0xB27D02ED086C7AFC,
		strings.Repeat(pattern, 100) + "1234567890abcdef12345": 0xD5C52DD12A763746,
	} {
		h := newXXH64()
		h.Write([]byte(text))
		if got := h.Sum64(); got != want {
			t.Errorf("%q: %016x, want %016x", text, got, want)
		}
	}
	data := knownBytes(1000, 1)
	for length := 0; length <= len(data); length += 13 {
		whole := newXXH64()
		whole.Write(data[:length])
		for _, piece := range []int{1, 7, 31, 32, 33, 64, 500} {
			h := newXXH64()
			for rest := data[:length]; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				h.Write(rest[:min(piece, len(rest))])
			}
			if h.Sum64() != whole.Sum64() {
				t.Errorf("%d bytes in pieces of %d", length, piece)
			}
		}
	}
}
