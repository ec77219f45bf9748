// What methods deliver: every method, against bytes known beforehand.

package main

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

// digestOf follows the words of PROTOCOL.md, not the driver's code.
func digestOf(data []byte) uint64 {
	sum := uint64(0)
	for i := 0; i < len(data); i += 4096 {
		sum += uint64(data[i])
	}
	return sum
}

// delivered is the data of operation k, by the words of PROTOCOL.md.
func delivered(o operation, data []byte, block int, k uint64) []byte {
	switch o {
	case openReadClose:
		return data[:min(block, len(data))]
	case readWhole:
		return data
	case readBlock:
		offset := int(splitmix64(1+k)%uint64(len(data)/block)) * block
		return data[offset : offset+block]
	default:
		return nil
	}
}

func TestEveryMethodDeliversTheFile(t *testing.T) {
	sizes := []int{0, 1, 12, 999, 4096, 4097, 70001}
	blocks := []int{1, 512, 1000, 4096, 65536}
	for _, m := range methods {
		for _, o := range m.operations() {
			if o != openClose && o != openReadClose && o != readWhole && o != readBlock || m.unavailable != "" || m.direct {
				continue
			}
			for _, size := range sizes {
				for _, block := range blocks {
					if o == readBlock && block > size {
						continue
					}
					checkDelivery(t, o, m.name, size, block)
				}
			}
		}
	}
}

func checkDelivery(t *testing.T, o operation, method string, size, block int) {
	t.Helper()
	first, second := knownBytes(size, 1), knownBytes(size, 2)
	args := arguments(o, method, size, block, fileOf(t, first), fileOf(t, second))
	for _, buffer := range []string{"reused", "fresh"} {
		answers := converse(t, append(args, "--buffer", buffer), "verify", "batch 3 preroll=1", "blocks 0:1:0 0:2:1", "verify method=0")
		what := fmt.Sprintf("%s %s size %d block %d %s: %q", o, method, size, block, buffer, answers)
		if len(answers) != 6 || answers[4] != "end" {
			t.Fatalf("%s", what)
		}
		// Operation k reads the file k mod 2; the pre-roll counts, verify does not.
		for i, numbers := range map[int][]uint64{1: {1, 2, 3}, 2: {4}, 3: {6, 7}} {
			bytes, digest := uint64(0), uint64(0)
			for _, k := range numbers {
				data := delivered(o, [][]byte{first, second}[k%2], block, k)
				bytes += uint64(len(data))
				digest += digestOf(data)
			}
			want := fmt.Sprintf(" bytes=%d digest=%d ", bytes, digest)
			if !strings.HasPrefix(answers[i], fmt.Sprintf("done ops=%d ns=", len(numbers))) || !strings.Contains(answers[i], want) {
				t.Fatalf("%s: answer %d lacks %q", what, i, want)
			}
		}
		// Verify is always operation 0.
		for _, i := range []int{0, 5} {
			data := delivered(o, first, block, 0)
			if want := fmt.Sprintf("verified bytes=%d crc32=%08x", len(data), crc32.ChecksumIEEE(data)); answers[i] != want {
				t.Fatalf("%s: answer %d is not %q", what, i, want)
			}
		}
	}
}

func TestDirectReadsDeliverTheStartOfTheFile(t *testing.T) {
	for _, size := range []int{512, 4096, 5000, 70001} {
		data := knownBytes(size, 3)
		path := fileOf(t, data)
		for _, buffer := range []string{"reused", "fresh"} {
			args := append(arguments(openReadClose, "os.OpenFile+O_DIRECT+ReadAt", size, 4096, path), "--buffer", buffer)
			if code, message := exitOf(append([]string{"run"}, args...)...); code == exitUnsupported {
				t.Skip(message)
			}
			want := delivered(openReadClose, data, 4096, 0)
			answers := converse(t, args, "verify", "batch 2")
			if answers[0] != fmt.Sprintf("verified bytes=%d crc32=%08x", len(want), crc32.ChecksumIEEE(want)) {
				t.Errorf("size %d: %q", size, answers)
			}
			if figure(t, answers[1], "digest") != 2*digestOf(want) {
				t.Errorf("size %d: %q", size, answers)
			}
		}
	}
}

func TestOffsetsFollowTheProtocol(t *testing.T) {
	// Published output of SplitMix64 for the seed 1234567, one step per number.
	seed := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := splitmix64(seed + uint64(i)*0x9E3779B97F4A7C15); got != want {
			t.Errorf("splitmix64 number %d is %d, want %d", i, got, want)
		}
	}
	random := splitmix64(7 + 5)
	for _, check := range []struct {
		sequential, unaligned bool
		k                     uint64
		want                  int64
	}{
		{false, false, 5, int64(random%9) * 100},
		{false, true, 5, int64(random % 851)},
		{true, false, 8, 800},
		{true, false, 9, 0},
		{true, true, 8, 801},
		{true, true, 9, 1},
	} {
		p := &plan{size: 950, block: 100, seed: 7, sequential: check.sequential, unaligned: check.unaligned}
		if got := p.offset(check.k); got != check.want {
			t.Errorf("%+v: offset %d", check, got)
		}
	}
	// The last unaligned block must not pass the end: 900 bytes hold 8 of them.
	p := &plan{size: 900, block: 100, sequential: true, unaligned: true}
	if got := p.offset(8); got != 1 {
		t.Errorf("offset %d after the last place", got)
	}
}

func TestTheDigestDoesNotDependOnThePieces(t *testing.T) {
	data := knownBytes(20000, 4)
	for _, piece := range []int{1, 7, 1000, 4095, 4096, 4097, 20000} {
		s := sink{full: true}
		for round := 0; round < 2; round++ {
			s.begin()
			for rest := data; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				s.take(rest[:min(piece, len(rest))])
			}
		}
		if s.digest != 2*digestOf(data) || s.bytes != 40000 {
			t.Errorf("pieces of %d: %+v", piece, s)
		}
		if want := crc32.ChecksumIEEE(append(append([]byte{}, data...), data...)); s.crc != want {
			t.Errorf("pieces of %d: crc %08x, want %08x", piece, s.crc, want)
		}
	}
}
