// XXH64 with seed 0, as a hash.Hash: the standard library has none.

package main

import (
	"encoding/binary"
	"math/bits"
)

const (
	xxPrime1 uint64 = 0x9E3779B185EBCA87
	xxPrime2 uint64 = 0xC2B2AE3D27D4EB4F
	xxPrime3 uint64 = 0x165667B19E3779F9
	xxPrime4 uint64 = 0x85EBCA77C2B2AE63
	xxPrime5 uint64 = 0x27D4EB2F165667C5
)

const xxStripe = 32

// xxh64 has four lanes, each of which takes 8 bytes of every stripe.
type xxh64 struct {
	lanes [4]uint64
	total uint64
	// held are the bytes of the stripe that is not yet whole.
	held  [xxStripe]byte
	count int
}

func newXXH64() *xxh64 {
	h := new(xxh64)
	h.Reset()
	return h
}

func (h *xxh64) Reset() {
	first, second := xxPrime1, xxPrime2
	*h = xxh64{lanes: [4]uint64{first + second, second, 0, -first}}
}

func (h *xxh64) Size() int      { return 8 }
func (h *xxh64) BlockSize() int { return xxStripe }

func (h *xxh64) Write(data []byte) (int, error) {
	length := len(data)
	h.total += uint64(length)
	if h.count > 0 {
		n := copy(h.held[h.count:], data)
		h.count += n
		data = data[n:]
		if h.count < xxStripe {
			return length, nil
		}
		h.stripes(h.held[:])
		h.count = 0
	}
	whole := len(data) &^ (xxStripe - 1)
	h.stripes(data[:whole])
	h.count = copy(h.held[:], data[whole:])
	return length, nil
}

func (h *xxh64) stripes(data []byte) {
	a, b, c, d := h.lanes[0], h.lanes[1], h.lanes[2], h.lanes[3]
	for ; len(data) >= xxStripe; data = data[xxStripe:] {
		a = xxRound(a, binary.LittleEndian.Uint64(data))
		b = xxRound(b, binary.LittleEndian.Uint64(data[8:]))
		c = xxRound(c, binary.LittleEndian.Uint64(data[16:]))
		d = xxRound(d, binary.LittleEndian.Uint64(data[24:]))
	}
	h.lanes = [4]uint64{a, b, c, d}
}

// Sum appends the hash, big-endian.
func (h *xxh64) Sum(to []byte) []byte { return binary.BigEndian.AppendUint64(to, h.Sum64()) }

func (h *xxh64) Sum64() uint64 {
	sum := xxPrime5
	if h.total >= xxStripe {
		sum = bits.RotateLeft64(h.lanes[0], 1) + bits.RotateLeft64(h.lanes[1], 7) +
			bits.RotateLeft64(h.lanes[2], 12) + bits.RotateLeft64(h.lanes[3], 18)
		for _, lane := range h.lanes {
			sum = (sum^xxRound(0, lane))*xxPrime1 + xxPrime4
		}
	}
	sum += h.total
	rest := h.held[:h.count]
	for ; len(rest) >= 8; rest = rest[8:] {
		sum ^= xxRound(0, binary.LittleEndian.Uint64(rest))
		sum = bits.RotateLeft64(sum, 27)*xxPrime1 + xxPrime4
	}
	if len(rest) >= 4 {
		sum ^= uint64(binary.LittleEndian.Uint32(rest)) * xxPrime1
		sum = bits.RotateLeft64(sum, 23)*xxPrime2 + xxPrime3
		rest = rest[4:]
	}
	for _, b := range rest {
		sum ^= uint64(b) * xxPrime5
		sum = bits.RotateLeft64(sum, 11) * xxPrime1
	}
	sum = (sum ^ sum>>33) * xxPrime2
	sum = (sum ^ sum>>29) * xxPrime3
	return sum ^ sum>>32
}

func xxRound(lane, input uint64) uint64 {
	return bits.RotateLeft64(lane+input*xxPrime2, 31) * xxPrime1
}
