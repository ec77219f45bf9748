// Translates texts to upper case.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
)

func translate(from, to string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	var done int64
	buf := make([]byte, 32*1024)
	for {
		n, err := in.Read(buf)
		if n > 0 {
			if _, err := out.Write(bytes.ToUpper(buf[:n])); err != nil {
				out.Close()
				return done, err
			}
			done += int64(n)
		}
		if err == io.EOF {
			return done, out.Close()
		}
		if err != nil {
			out.Close()
			return done, err
		}
	}
}

func main() {
	var total int64
	for i := 0; i < 10; i++ {
		n, err := translate(fmt.Sprintf("in/%d.txt", i), fmt.Sprintf("out/%d.txt", i))
		if err != nil {
			log.Fatal(err)
		}
		total += n
	}
	fmt.Printf("10 texts, %d bytes\n", total)
}
