// The memory that methods with a caller's buffer read into.

package main

import "unsafe"

const pageBytes = 4096

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
