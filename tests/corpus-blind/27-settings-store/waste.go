// Books transfers between accounts kept in one file.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
)

type account struct {
	name    string
	balance int
}

func load(path string) (list []account) {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var a account
		if _, err := fmt.Sscanf(in.Text(), "%s %d", &a.name, &a.balance); err != nil {
			log.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

func save(path string, list []account) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	for _, a := range list {
		fmt.Fprintf(out, "%s %d\n", a.name, a.balance)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func main() {
	for round := 0; round < 2; round++ {
		list := load("accounts.db")
		for i := range list {
			list[i].balance += 5 - (i+round)%11
		}
		if err := save("accounts.db", list); err != nil {
			log.Fatal(err)
		}
	}
	sum := 0
	for _, a := range load("accounts.db") {
		sum += a.balance
	}
	fmt.Println("total", sum)
}
