// Counts the statements in a set of database dumps.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
)

func load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() > 1<<24 {
		return nil, fmt.Errorf("%s: too large", path)
	}
	return io.ReadAll(f)
}

func main() {
	statements, size := 0, 0
	for i := 0; i < 20; i++ {
		data, err := load(fmt.Sprintf("dumps/%d.sql", i))
		if err != nil {
			log.Fatal(err)
		}
		statements += bytes.Count(data, []byte(";"))
		size += len(data)
	}
	fmt.Printf("%d statements in %d bytes\n", statements, size)
}
