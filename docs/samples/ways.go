package ways

import (
	"bufio"
	"io"
	"os"
)

// Whole reads the file at once.
func Whole(path string) ([]byte, error) { return os.ReadFile(path) }

// Streamed reads it through a buffer of 4 KiB.
func Streamed(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(bufio.NewReader(file))
}
