package main

import (
	"bufio"
	"crypto/sha1"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type Office struct {
	dir    string
	issued []string
}

func (o *Office) issue(keeper string, hives int) (string, error) {
	sum := sha1.Sum([]byte(fmt.Sprint(keeper, hives)))
	number := fmt.Sprintf("%X", sum[:4])
	path := filepath.Join(o.dir, number+".lic")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text := fmt.Sprintf("licence %s\nkeeper %s\nhives %d\n", number, keeper, hives)
	if _, err := f.WriteString(text); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	if err := o.syncDir(); err != nil {
		return "", err
	}
	o.issued = append(o.issued, number)
	return number, nil
}

func (o *Office) syncDir() error {
	d, err := os.Open(o.dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func run() error {
	in, err := os.Open("applications.txt")
	if err != nil {
		return err
	}
	defer in.Close()
	office := &Office{dir: "licences"}
	hives := 0
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		keeper, rest, _ := strings.Cut(lines.Text(), " ")
		var n int
		if _, err := fmt.Sscan(rest, &n); err != nil {
			return err
		}
		number, err := office.issue(keeper, n)
		if err != nil {
			return err
		}
		hives += n
		fmt.Printf("%s issued to %s\n", number, keeper)
	}
	fmt.Printf("%d licences on file for %d hives\n", len(office.issued), hives)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Println("office:", err)
		os.Exit(1)
	}
}
