// Rewrites two stretches of a silo's level file in place. The old bytes go to an undo journal first,
// so that a crash at any point can be undone at the next start.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
)

const (
	db      = "silo/levels.db"
	journal = "silo/levels.undo"
)

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// keep saves what stands at off in the journal, safely, before it is overwritten.
func keep(f *os.File, off int64, n int) error {
	old := make([]byte, 16+n)
	binary.LittleEndian.PutUint64(old, uint64(off))
	if _, err := f.ReadAt(old[16:], off); err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(old[8:], uint64(crc32.ChecksumIEEE(old[16:])))
	j, err := os.OpenFile(journal, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = j.Write(old)
	if err = errors.Join(err, j.Sync(), j.Close()); err != nil {
		return err
	}
	return syncDir("silo")
}

// undo puts the old bytes back if a journal was left by a crash.
func undo(f *os.File) error {
	b, err := os.ReadFile(journal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(b) > 16 && uint64(crc32.ChecksumIEEE(b[16:])) == binary.LittleEndian.Uint64(b[8:]) {
		_, err = f.WriteAt(b[16:], int64(binary.LittleEndian.Uint64(b)))
	}
	return errors.Join(err, f.Sync(), os.Remove(journal))
}

func rewrite(f *os.File, off int64, fresh []byte) error {
	if err := keep(f, off, len(fresh)); err != nil {
		return err
	}
	if _, err := f.WriteAt(fresh, off); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return errors.Join(os.Remove(journal), syncDir("silo"))
}

func run() error {
	f, err := os.OpenFile(db, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := undo(f); err != nil {
		return err
	}
	fresh := make([]byte, 24000)
	for i := range fresh {
		fresh[i] = byte('0' + i*7%10)
	}
	for _, off := range []int64{8192, 65536} {
		if err := rewrite(f, off, fresh); err != nil {
			return err
		}
		fmt.Printf("%d bytes at %d rewritten\n", len(fresh), off)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
