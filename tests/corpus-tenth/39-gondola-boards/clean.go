// Renews the departure boards at the landings of the gondolas.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func board(landing, boats, first int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>Landing %d</h1>\n<ul>\n", landing)
	for i := 0; i < boats; i++ {
		m := first + i*17
		fmt.Fprintf(&b, "<li>%02d:%02d</li>\n", 8+m/60, m%60)
	}
	b.WriteString("</ul>\n")
	return b.String()
}

func publish(path, text string) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	if _, err = f.WriteString(text); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func main() {
	in, err := os.Open("landings.txt")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer in.Close()

	boards, boatsTotal := 0, 0
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var landing, boats, first int
		if n, _ := fmt.Sscan(lines.Text(), &landing, &boats, &first); n != 3 {
			continue
		}
		path := fmt.Sprintf("boards/landing-%d.html", landing)
		if err := publish(path, board(landing, boats, first)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		boards++
		boatsTotal += boats
	}
	if d, err := os.Open("boards"); err == nil {
		d.Sync()
		d.Close()
	}
	fmt.Printf("%d boards renewed, %d boats\n", boards, boatsTotal)
}
