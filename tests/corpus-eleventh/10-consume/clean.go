// consume works through a queue file and remembers how far it came.
// Work is idempotent: a run that dies is simply started again.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type state struct {
	Offset int64            `json:"offset"`
	Done   int              `json:"done"`
	ByKind map[string]int64 `json:"by_kind"`
}

type consumer struct {
	path string
	st   state
}

func (c *consumer) save() error {
	data, err := json.Marshal(&c.st)
	if err != nil {
		return err
	}
	tmp := c.path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, c.path)
}

func (c *consumer) handle(msg string) error {
	kind, rest, ok := strings.Cut(msg, " ")
	if !ok {
		return fmt.Errorf("bad message %q", msg)
	}
	c.st.ByKind[kind] += int64(len(rest))
	c.st.Done++
	return nil
}

func (c *consumer) run(queue string) error {
	f, err := os.Open(queue)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewScanner(f)
	for r.Scan() {
		line := r.Text()
		if err := c.handle(line); err != nil {
			fmt.Fprintln(os.Stderr, "skipped:", err)
		}
		c.st.Offset += int64(len(line)) + 1
	}
	if err := r.Err(); err != nil {
		return err
	}
	return c.save()
}

func main() {
	c := &consumer{path: "consumer.json", st: state{ByKind: map[string]int64{}}}
	if err := c.run("queue.txt"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d messages, offset %d, kinds %v\n", c.st.Done, c.st.Offset, c.st.ByKind)
}
