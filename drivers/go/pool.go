// The data that write-block writes: blocks from a pool, in turn.

package main

import "encoding/binary"

const poolBytes = 1 << 20

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
