// Writes the keys of a fleet of devices.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"os"
)

func writeKey(path string, key []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	// keys must never be readable by others
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f, "-----BEGIN KEY-----\n%s\n-----END KEY-----\n", hex.EncodeToString(key)); err != nil {
		return err
	}
	return f.Close()
}

func main() {
	last := ""
	for device := 0; device < 60; device++ {
		key := sha256.Sum256([]byte(fmt.Sprintf("device %d", device)))
		path := fmt.Sprintf("keys/%d.pem", device)
		if err := writeKey(path, key[:]); err != nil {
			log.Fatal(err)
		}
		last = hex.EncodeToString(key[:4])
	}
	st, err := os.Stat("keys/59.pem")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("60 keys, mode %v, last %s\n", st.Mode(), last)
}
