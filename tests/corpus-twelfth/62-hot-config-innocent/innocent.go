// hotconf serves decisions from a limits file that an operator process keeps
// changing; every change is announced, read once and put in force.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
)

const rounds = 260

type limits struct {
	Generation int            `json:"generation"`
	PerTenant  map[string]int `json:"per_tenant"`
}

// operator replaces the limits file and announces it, one change at a time.
func operator(path string) {
	in := bufio.NewScanner(os.Stdin)
	for g := 1; g <= rounds; g++ {
		l := limits{g, map[string]int{"acme": 10 + g%17, "globex": 5 + g*3%29}}
		js, err := json.Marshal(l)
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path+".new", js, 0o644); err != nil {
			log.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			log.Fatal(err)
		}
		fmt.Println("reload")
		if !in.Scan() {
			log.Fatal("operator: server went away")
		}
	}
	fmt.Println("bye")
}

func load(path string) (limits, error) {
	var l limits
	js, err := os.ReadFile(path)
	if err != nil {
		return l, err
	}
	return l, json.Unmarshal(js, &l)
}

func main() {
	const path = "limits.json"
	if len(os.Args) > 1 && os.Args[1] == "operator" {
		operator(path)
		return
	}
	cmd := exec.Command(os.Args[0], "operator")
	cmd.Stderr = os.Stderr
	to, err := cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	allowed, last := 0, 0
	sc := bufio.NewScanner(from)
	for sc.Scan() {
		if strings.TrimSpace(sc.Text()) == "bye" {
			break
		}
		l, err := load(path)
		if err != nil {
			log.Fatal(err)
		}
		if l.Generation != last+1 {
			log.Fatalf("generation %d after %d", l.Generation, last)
		}
		last = l.Generation
		for req := 0; req < 40; req++ {
			if req < l.PerTenant["acme"]+l.PerTenant["globex"] {
				allowed++
			}
		}
		fmt.Fprintln(to, "in force")
	}
	if err := cmd.Wait(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d generations in force, %d requests allowed\n", last, allowed)
}
