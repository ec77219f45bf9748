// The data and the offsets that batches are given: the protocol's generator, the
// blocks that write-block writes, the text, and the memory that is read into.

package main

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

const (
	pageBytes = 4096
	poolBytes = 1 << 20
	pattern   = "fathom pattern.\n"
)

// splitmix64 is the protocol's generator.
func splitmix64(x uint64) uint64 {
	z := x + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// offset is where operation number k goes in its file.
func (p *plan) offset(k uint64) int64 {
	unaligned, sequential := p.alignment == "unaligned", p.access == "sequential"
	number := k
	if !sequential {
		number = splitmix64(p.seed + k)
	}
	switch {
	case unaligned && sequential:
		return int64(number%uint64((p.size-1)/p.block))*p.block + 1
	case unaligned:
		return int64(number % uint64(p.size-p.block+1))
	default:
		return int64(number%uint64(p.size/p.block)) * p.block
	}
}

// patternText is the pattern, repeated.
func patternText(length int64) []byte {
	return []byte(strings.Repeat(pattern, int(length)/len(pattern)+1)[:length])
}

// pool hands out blocks without a division or an allocation.
type pool struct {
	data  []byte
	block int64
	at    int64
	// end is behind the last block.
	end int64
}

func newPool(p *plan) pool {
	data := make([]byte, poolBytes)
	if p.content == "pattern" {
		data = patternText(poolBytes)
	} else {
		for i := 0; i < poolBytes/8; i++ {
			binary.LittleEndian.PutUint64(data[8*i:], splitmix64(p.seed+uint64(i)))
		}
	}
	return pool{data: data, block: p.block, end: poolBytes / p.block * p.block}
}

// start makes the next block that of this operation.
func (p *pool) start(operation uint64) {
	p.at = int64(operation % uint64(p.end/p.block) * uint64(p.block))
}

func (p *pool) next() []byte {
	block := p.data[p.at : p.at+p.block]
	if p.at += p.block; p.at == p.end {
		p.at = 0
	}
	return block
}

// buffers gives each operation its buffer: always the same one, or a new one.
type buffers struct {
	length int
	// block is the length of an array on the stack, of which length is read into.
	block  int
	fresh  bool
	reused []byte
}

func newBuffers(length int64, fresh bool) *buffers {
	b := &buffers{length: int(length), fresh: fresh}
	if !fresh {
		b.reused = pageAligned(b.length)
		for i := 0; i < b.length; i += pageBytes {
			b.reused[i] = 1
		}
	}
	return b
}

// next is the buffer of the next operation.
func (b *buffers) next() []byte {
	if b.fresh {
		return make([]byte, b.length)
	}
	return b.reused
}

// nextAligned is next at the start of a page, as direct I/O needs it.
func (b *buffers) nextAligned() []byte {
	if b.fresh {
		return pageAligned(b.length)
	}
	return b.reused
}

func pageAligned(length int) []byte {
	memory := make([]byte, length+pageBytes)
	address := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	skip := int(-address & (pageBytes - 1))
	return memory[skip : skip+length : skip+length]
}
