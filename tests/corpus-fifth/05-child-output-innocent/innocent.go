// Runs the steps of a build with one common log and notes where the output of each step lies.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

type span struct {
	step     string
	from, to int64
}

func run(log *os.File, step, script string) (span, error) {
	from, err := log.Seek(0, io.SeekCurrent)
	if err != nil {
		return span{}, err
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Stdout = log // the child writes through our descriptor and moves its offset
	cmd.Stderr = log
	if err := cmd.Run(); err != nil {
		return span{}, fmt.Errorf("%s: %w", step, err)
	}
	to, err := log.Seek(0, io.SeekCurrent)
	return span{step, from, to}, err
}

func main() {
	log, err := os.Create("build.log")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer log.Close()
	var spans []span
	for i := 1; i <= 14; i++ {
		step := fmt.Sprintf("step-%02d", i)
		script := fmt.Sprintf("i=0; while [ $i -lt %d ]; do echo \"%s line $i\"; i=$((i+1)); done", i*3%7, step)
		s, err := run(log, step, script)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		spans = append(spans, s)
	}
	quiet := 0
	for _, s := range spans {
		if s.from == s.to {
			quiet++
		}
	}
	last := spans[len(spans)-2]
	text := make([]byte, last.to-last.from)
	if _, err := log.ReadAt(text, last.from); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d steps, %d quiet, log of %d bytes\n", len(spans), quiet, spans[len(spans)-1].to)
	fmt.Printf("%s wrote:\n%s", last.step, text)
}
