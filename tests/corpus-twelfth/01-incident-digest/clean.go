// digest prints the closing lines of every service log below a folder.
// It is what the on-call bot pastes at the top of an incident channel.
package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

type section struct {
	service string
	lines   []string
}

// lastLines gives the closing n lines of a log.
func lastLines(path string, n int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	for window := int64(64 << 10); ; window *= 4 {
		from := st.Size() - window
		if from < 0 {
			from = 0
		}
		buf := make([]byte, st.Size()-from)
		if _, err := f.ReadAt(buf, from); err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimSuffix(string(buf), "\n"), "\n")
		if from == 0 || len(lines) > n {
			if len(lines) > n {
				lines = lines[len(lines)-n:]
			}
			return lines, nil
		}
	}
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: digest DIR N")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil || n < 1 {
		fmt.Fprintln(os.Stderr, "digest: bad line count")
		os.Exit(2)
	}
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "*.log"))
	sort.Strings(paths)
	var out []section
	for _, p := range paths {
		lines, err := lastLines(p, n)
		if err != nil {
			fmt.Fprintln(os.Stderr, "digest:", err)
			continue
		}
		name := strings.TrimSuffix(filepath.Base(p), ".log")
		out = append(out, section{name, lines})
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for _, s := range out {
		fmt.Fprintf(w, "== %s\n", s.service)
		for _, l := range s.lines {
			fmt.Fprintln(w, l)
		}
	}
}
