// Registry office: writes one certificate for each couple and reports what is registered.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
)

func certificate(number int, couple []string) string {
	return fmt.Sprintf("No. %03d\n%s and %s\nmarried on day %s of the month\n",
		number, couple[0], couple[1], couple[2])
}

func register(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0644)
	if err != nil {
		return err
	}
	if _, err = f.WriteString(text); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	in, err := os.Open("banns.csv")
	check(err)
	couples, err := csv.NewReader(in).ReadAll()
	check(err)
	in.Close()

	for i, couple := range couples {
		check(register(fmt.Sprintf("weddings/%03d.txt", i+1), certificate(i+1, couple)))
	}
	check(syncDir("weddings"))
	for i, couple := range couples {
		fmt.Printf("registered %03d: %s and %s\n", i+1, couple[0], couple[1])
	}
	fmt.Printf("%d certificates are safe\n", len(couples))
}
