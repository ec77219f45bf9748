// hash: compute the hash of a whole file.

package main

import (
	"crypto/md5"
	"hash"
	"io"
	"os"
	"syscall"
)

// hashTask performs hash.
type hashTask struct {
	plain
	paths   []string
	newHash func() hash.Hash
	run     func(path string, h hash.Hash) (int64, error)
	sum     []byte
}

func newHashTask(p *plan, run func(string, hash.Hash) (int64, error)) task {
	return &hashTask{paths: p.paths, newHash: algorithms[p.algorithm], run: run, sum: make([]byte, 0, md5.Size)}
}

var algorithms = map[string]func() hash.Hash{
	"md5":   md5.New,
	"xxh64": func() hash.Hash { return newXXH64() },
}

func (t *hashTask) perform(which int, _ int64, out *sink) error {
	h := t.newHash()
	size, err := t.run(t.paths[which], h)
	if err != nil {
		return err
	}
	out.hash(size, h.Sum(t.sum))
	return nil
}

func hashReadFile(path string, h hash.Hash) (int64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	h.Write(data)
	return int64(len(data)), nil
}

func hashCopy(path string, h hash.Hash) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(h, f)
}

// hashPieces reads 4 KiB at once, as in "How to Open a File in Linux: A Deep
// Dive" (P. McConnell, 2025-03-04).
func hashPieces(path string, h hash.Hash) (size int64, err error) {
	err = pieces(path, func(piece []byte) {
		h.Write(piece)
		size += int64(len(piece))
	})
	return size, err
}

func hashMapped(path string, h hash.Hash) (int64, error) {
	data, err := mapWhole(path)
	if err != nil || len(data) == 0 {
		return 0, err
	}
	defer syscall.Munmap(data)
	h.Write(data)
	return int64(len(data)), nil
}

// mapWhole maps a file as long as it is; an empty file cannot be mapped and
// needs no mapping.
func mapWhole(path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return nil, &os.PathError{Op: "fstat", Path: path, Err: err}
	}
	if stat.Size == 0 {
		return nil, nil
	}
	data, err := syscall.Mmap(fd, 0, int(stat.Size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, nil
}
