// The arguments that only some operations look at, and what they must satisfy.

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// settings are the arguments beyond files, blocks and their order.
type settings struct {
	word      string
	threads   int
	algorithm string
	directory string
	existing  string
	write     int64
	close     string
	sync      string
	content   string
	format    string
}

func defaultSettings() settings {
	return settings{
		word: "ERROR", threads: 1, algorithm: "md5", existing: "fresh",
		close: "each", sync: "none", content: "random", format: "json",
	}
}

// register adds the arguments to those that are parsed.
func (s *settings) register(flags *flag.FlagSet) {
	flags.StringVar(&s.word, "word", s.word, "what search counts")
	flags.Func("threads", "`number` of threads that share one search", s.setThreads)
	flags.Func("queue-depth", "`number` of reads in flight at once", setQueueDepth)
	flags.Func("algorithm", "`md5` or xxh64", oneOf(&s.algorithm, "md5", "xxh64"))
	flags.StringVar(&s.directory, "directory", "", "an empty `directory` for files that are made")
	flags.Func("existing", "`fresh`, empty or data", oneOf(&s.existing, "fresh", "empty", "data"))
	flags.Func("write", "`bytes` that create writes", func(text string) error { return setBytes(&s.write, text) })
	flags.Func("close", "`each`, all or none", oneOf(&s.close, "each", "all", "none"))
	flags.Func("sync", "`none`, fsync or syncfs", oneOf(&s.sync, "none", "fsync", "syncfs"))
	flags.Func("content", "`random` or pattern", oneOf(&s.content, "random", "pattern"))
	flags.Func("format", "`json`, yaml or toml", oneOf(&s.format, "json", "yaml", "toml"))
}

const maxThreads, maxWrite = 1024, 1 << 30

func (s *settings) setThreads(text string) error {
	threads, err := strconv.Atoi(text)
	if err == nil && (threads < 1 || threads > maxThreads) {
		err = fmt.Errorf("must be from 1 to %d", maxThreads)
	}
	s.threads = threads
	return err
}

func setQueueDepth(text string) error {
	if text != "1" {
		return errors.New("no method of this driver has more than 1 read in flight")
	}
	return nil
}

// check finds values that are impossible for the operation.
func (s *settings) check(o operation, methods []method) error {
	switch {
	case s.threads > 1 && o != search && o != nothing:
		return fmt.Errorf("no method of this driver performs %s with more than 1 thread", o)
	case o == search:
		return s.checkWord(methods)
	case s.write > maxWrite:
		return fmt.Errorf("--write must be at most %d", maxWrite)
	case !o.writes():
		return nil
	case s.directory == "":
		return fmt.Errorf("%s needs --directory", o)
	}
	info, err := os.Stat(s.directory)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("--directory %s is not a directory", s.directory)
	}
	return err
}

func (s *settings) checkWord(methods []method) error {
	if s.word == "" {
		return errors.New("--word must not be empty")
	}
	// bytes.Count and regexp go on behind what they found.
	if overlapsItself([]byte(s.word)) {
		return fmt.Errorf("--word %q can overlap itself, and Go counts no overlapping occurrences", s.word)
	}
	for _, m := range methods {
		if m.byLine && strings.Contains(s.word, "\n") {
			return fmt.Errorf("method %q looks at lines, and --word has a newline", m.name)
		}
	}
	return nil
}

// overlapsItself is true when a word begins as it ends.
func overlapsItself(word []byte) bool {
	for i := 1; i < len(word); i++ {
		if bytes.HasPrefix(word, word[i:]) {
			return true
		}
	}
	return false
}

func oneOf(target *string, words ...string) func(string) error {
	return func(word string) error {
		for _, known := range words {
			if word == known {
				*target = word
				return nil
			}
		}
		return fmt.Errorf("none of %s", strings.Join(words, ", "))
	}
}
