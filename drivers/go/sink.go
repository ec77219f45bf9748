// Where methods deliver what they read: the digest that proves the data was
// there, and for `verify` the CRC of all of it.

package main

import "hash/crc32"

// sink takes the data of operations in the order it is delivered.
type sink struct {
	bytes  uint64
	digest uint64
	// position counts the bytes of the operation in progress.
	position uint64
	full     bool
	crc      uint32
}

// begin starts the data of another operation.
func (s *sink) begin() { s.position = 0 }

// take accepts the next piece of the operation's data.
func (s *sink) take(data []byte) {
	// One byte per page, counted from the operation's first byte, whatever the pieces.
	for i := -s.position & (pageBytes - 1); i < uint64(len(data)); i += pageBytes {
		s.digest += uint64(data[i])
	}
	s.position += uint64(len(data))
	s.bytes += uint64(len(data))
	if s.full {
		s.crc = crc32.Update(s.crc, crc32.IEEETable, data)
	}
}
