// Where read-block reads: the protocol's offsets, a function of the
// operation's number alone.

package main

// splitmix64 is the protocol's generator.
func splitmix64(x uint64) uint64 {
	z := x + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// places is how many blocks of the asked kind a file has to choose from.
func (p *plan) places() int64 {
	switch {
	case p.size < p.block:
		return 0
	case p.unaligned && !p.sequential:
		return p.size - p.block + 1
	case p.unaligned:
		return (p.size - 1) / p.block
	default:
		return p.size / p.block
	}
}

// offset is where operation number k starts reading.
func (p *plan) offset(k uint64) int64 {
	number := k
	if !p.sequential {
		number = splitmix64(p.seed + k)
	}
	place := int64(number % uint64(p.places()))
	switch {
	case p.unaligned && p.sequential:
		return place*p.block + 1
	case p.unaligned:
		return place
	default:
		return place * p.block
	}
}
