// What methods deliver: every method, against bytes known beforehand.

package main

import (
	"fmt"
	"hash/crc32"
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
