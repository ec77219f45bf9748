// hash: compute the hash of a whole file.

package main

import (
	"crypto/md5"
	"hash"
	"io"
	"os"
	"syscall"
)

var algorithms = map[string]func() hash.Hash{
	"md5":   md5.New,
	"xxh64": func() hash.Hash { return newXXH64() },
}

func hashes(run func(path string, h hash.Hash) (int64, error)) way {
	return func(p *plan) (task, error) {
		newHash, sum := algorithms[p.algorithm], make([]byte, 0, md5.Size)
		return eachPath(func(path string, out *sink) error {
			h := newHash()
			size, err := run(path, h)
			if err != nil {
				return err
			}
			out.hash(size, h.Sum(sum))
			return nil
		})(p)
	}
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
