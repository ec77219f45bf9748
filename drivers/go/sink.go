// Where methods deliver what they read: the digest that proves the data was
// there, and for `verify` the CRC of all of it.

package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strconv"
)

// sink takes the data of operations in the order it is delivered.
type sink struct {
	bytes  uint64
	digest uint64
	// counted is the number of lines or of matches.
	counted uint64
	// largest is the sum over the operations of the longest record, left that of
	// what was held and never handed on; of a method that gathers lines.
	largest, left uint64
	gathers       bool
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
		// A copy, so that the data itself goes nowhere and may be on the stack.
		s.crc = crc32.Update(s.crc, crc32.IEEETable, bytes.Clone(data))
	}
}

// line accepts one line of a file, without its newline.
func (s *sink) line(line []byte) {
	s.counted++
	s.bytes += uint64(len(line))
	if len(line) > 0 {
		s.digest += uint64(line[0])
	}
	if s.full {
		s.crc = crc32.Update(s.crc, crc32.IEEETable, line)
		s.crc = crc32.Update(s.crc, crc32.IEEETable, newline)
	}
}

// text is line for a line that comes as a string.
func (s *sink) text(line string) {
	if s.full {
		s.line([]byte(line))
		return
	}
	s.counted++
	s.bytes += uint64(len(line))
	if len(line) > 0 {
		s.digest += uint64(line[0])
	}
}

// gathered accepts what a method that gathers lines tells of itself.
func (s *sink) gathered(largest, left int) {
	s.gathers = true
	s.largest += uint64(largest)
	s.left += uint64(left)
}

var newline = []byte{'\n'}

// matches accepts the count of a search through a file of this size.
func (s *sink) matches(size int64, count int) {
	s.counted += uint64(count)
	s.bytes += uint64(size)
	s.digest += uint64(count)
	if s.full {
		s.verify(strconv.AppendUint(nil, s.counted, 10))
	}
}

// hash accepts the hash of a file of this size.
func (s *sink) hash(size int64, sum []byte) {
	s.bytes += uint64(size)
	s.digest += binary.BigEndian.Uint64(sum)
	if s.full {
		s.verify(sum)
	}
}

// configuration accepts the sum of the numbers in files of this size.
func (s *sink) configuration(size int64, sum uint64) {
	s.bytes += uint64(size)
	s.digest += sum
	if s.full {
		s.verify(strconv.AppendUint(nil, s.digest, 10))
	}
}

// written accepts the length of what was written: the data came from the program.
func (s *sink) written(length int64) { s.bytes += uint64(length) }

// verify makes these bytes what `verify` speaks of, whatever the operation counts.
func (s *sink) verify(data []byte) { s.crc = crc32.ChecksumIEEE(data) }
