package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"text/template"
)

type person struct {
	Name string
	Sum  int
}

func letter(p person) (string, error) {
	var b bytes.Buffer
	t, err := template.ParseFiles("letters/reminder.tmpl")
	if err != nil {
		return "", err
	}
	if err := t.Execute(&b, p); err != nil {
		return "", err
	}
	return b.String(), nil
}

func main() {
	f, err := os.Open("people.txt")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	n, size := 0, 0
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		var p person
		fmt.Sscan(sc.Text(), &p.Name, &p.Sum)
		text, err := letter(p)
		if err != nil {
			panic(err)
		}
		n++
		size += len(text)
	}
	fmt.Println(n, "letters,", size, "bytes")
}
