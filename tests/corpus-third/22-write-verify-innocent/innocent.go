package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
)

const target = "card.img"

func digest() ([32]byte, int, error) {
	b, err := os.ReadFile(target)
	return sha256.Sum256(b), len(b), err
}

func flash(image []byte) error {
	tmp := target + ".flash"
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err = f.Write(image); err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, target); err != nil {
		return err
	}
	d, err := os.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func main() {
	before, n, err := digest()
	if err != nil {
		panic(err)
	}
	image := bytes.Repeat([]byte("firmware"), n/8)
	want := sha256.Sum256(image)
	if err := flash(image); err != nil {
		panic(err)
	}
	after, _, err := digest()
	if err != nil {
		panic(err)
	}
	fmt.Println("changed", before != after, "verified", after == want)
}
