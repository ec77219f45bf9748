package main

import (
	"fmt"
	"os"
)

type recorder struct {
	f       *os.File
	pending []byte
	rows    int
	dirty   bool
}

func (r *recorder) observe(v int) {
	if v%3 == 0 {
		r.pending = fmt.Appendf(r.pending, "v=%d\n", v)
		r.rows++
	}
}

// tick is called by the scheduler; it makes everything durable.
func (r *recorder) tick() error {
	if len(r.pending) >= 12 {
		if _, err := r.f.Write(r.pending); err != nil {
			return err
		}
		r.pending = r.pending[:0]
		r.dirty = true
	}
	if !r.dirty {
		return nil
	}
	r.dirty = false
	return r.f.Sync()
}

// finish writes what is left.
func (r *recorder) finish() error {
	if _, err := r.f.Write(r.pending); err != nil {
		return err
	}
	if err := r.f.Sync(); err != nil {
		return err
	}
	return r.f.Close()
}

func main() {
	f, err := os.OpenFile("metrics.log", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		panic(err)
	}
	r := &recorder{f: f}
	for i := 0; i < 40; i++ {
		r.observe(i)
		if err := r.tick(); err != nil {
			panic(err)
		}
	}
	if err := r.finish(); err != nil {
		panic(err)
	}
	fi, _ := os.Stat("metrics.log")
	fmt.Println(r.rows, "rows,", fi.Size(), "bytes on disk")
}
