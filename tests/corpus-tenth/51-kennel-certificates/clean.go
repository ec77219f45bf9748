// Writes the pedigree certificates of a kennel; they name the owners, so nobody else may read them.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

const folder = "certificates"

func issue(dog, breed, weeks, owner string) error {
	text := fmt.Sprintf("PEDIGREE CERTIFICATE\nname  %s\nbreed %s\nage   %s weeks\nowner %s\n",
		dog, breed, weeks, owner)
	path := filepath.Join(folder, dog+".txt")
	return os.WriteFile(path, []byte(text), 0600)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	in, err := os.Open("litter.csv")
	fail(err)
	rows, err := csv.NewReader(in).ReadAll()
	fail(err)
	in.Close()

	fail(os.Mkdir(folder, 0700))

	breeds := map[string]int{}
	owners := map[string]bool{}
	for _, row := range rows {
		fail(issue(row[0], row[1], row[2], row[3]))
		breeds[row[1]]++
		owners[row[3]] = true
	}

	names := make([]string, 0, len(breeds))
	for b := range breeds {
		names = append(names, b)
	}
	sort.Strings(names)
	fmt.Printf("%d certificates for %d owners\n", len(rows), len(owners))
	for _, b := range names {
		fmt.Printf("%s: %d\n", b, breeds[b])
	}
}
