// The arguments of `run`, and the environment variables. That the values fit each
// other is for Fathom to check, before it starts a driver; what a method cannot do
// with them, its maker says (methods.go). Nothing is opened here.

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// plan is what the arguments of `run` ask for.
type plan struct {
	operation                 operation
	methods                   []method
	paths                     []string
	size, block, write        int64
	access, alignment, buffer string
	seed                      uint64
	threads, queueDepth       int
	marks                     bool
	latencies                 string
	word, algorithm, format   string
	directory, existing       string
	close, sync, content      string
	// collectFirst and unlocked are what the environment asks for.
	collectFirst, unlocked bool
	// directories are where operations that write make their files.
	directories *directories
}

// parseArguments reads the arguments of `run`; messages takes the usage text.
func parseArguments(args []string, messages io.Writer) (*plan, error) {
	p := &plan{}
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.StringVar((*string)(&p.operation), "operation", "", "what one operation `does`")
	var names []string
	flags.Func("method", "the `name` of a method; may be given several times", func(name string) error {
		names = append(names, name)
		return nil
	})
	flags.Func("path", "a `file`; may be given several times", func(path string) error {
		p.paths = append(p.paths, path)
		return nil
	})
	flags.Func("path-list", "a `file` of paths, each ended by a zero byte", func(list string) error {
		text, err := os.ReadFile(list)
		p.paths = append(p.paths, strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")...)
		return err
	})
	flags.Int64Var(&p.size, "size", 0, "`bytes` in each file")
	flags.Int64Var(&p.block, "block", 65536, "`bytes` read at once")
	flags.StringVar(&p.access, "access", "random", "random or `sequential`")
	flags.StringVar(&p.alignment, "alignment", "aligned", "aligned or `unaligned`")
	flags.StringVar(&p.buffer, "buffer", "reused", "reused, fresh or `stack`")
	flags.StringVar(&p.word, "word", "ERROR", "what search counts")
	flags.IntVar(&p.threads, "threads", 1, "`number` of threads that share one search")
	flags.IntVar(&p.queueDepth, "queue-depth", 1, "`number` of reads in flight at once")
	flags.StringVar(&p.algorithm, "algorithm", "md5", "md5 or `xxh64`")
	flags.StringVar(&p.directory, "directory", "", "an empty `directory` for files that are made")
	flags.StringVar(&p.existing, "existing", "fresh", "fresh, empty or `data`")
	flags.Int64Var(&p.write, "write", 0, "`bytes` that create writes, or truncate leaves")
	flags.StringVar(&p.close, "close", "each", "each, all or `none`")
	flags.StringVar(&p.sync, "sync", "none", "none, fsync or `syncfs`")
	flags.StringVar(&p.content, "content", "random", "random or `pattern`")
	flags.StringVar(&p.format, "format", "json", "json, yaml or `toml`")
	flags.Uint64Var(&p.seed, "seed", 1, "`number` that the random offsets follow from")
	flags.BoolVar(&p.marks, "marks", false, "mark the clock's region for a tracer")
	flags.StringVar(&p.latencies, "latencies", "", "append each operation's time to this `file`")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	for _, name := range names {
		m, known := findMethod(name)
		if !known {
			return nil, fmt.Errorf("unknown method %q", name)
		}
		if m.ways[p.operation] == nil {
			return nil, fmt.Errorf("method %q cannot perform %q", name, p.operation)
		}
		p.methods = append(p.methods, m)
	}
	switch {
	case len(names) == 0:
		return nil, errors.New("--method is missing")
	case p.operation.takesFiles() && len(p.paths) == 0:
		return nil, errors.New("--path is missing")
	case p.operation.writes() && p.directory == "":
		return nil, errors.New("--directory is missing")
	}
	return p, p.readEnvironment()
}

const collectVariable, lockVariable = "FATHOM_GO_GC", "FATHOM_GO_LOCK"

func (p *plan) readEnvironment() error {
	collect, lock := os.Getenv(collectVariable), os.Getenv(lockVariable)
	if collect != "" && collect != "before-batch" {
		return fmt.Errorf("%s is %q, and can only be before-batch", collectVariable, collect)
	}
	if lock != "" && lock != "0" && lock != "1" {
		return fmt.Errorf("%s is %q, and can only be 0 or 1", lockVariable, lock)
	}
	p.collectFirst, p.unlocked = collect != "", lock == "0"
	return nil
}

// turns is how many operations it takes until the same files come again.
func (p *plan) turns() int {
	if p.operation == configLoad {
		return 1
	}
	return max(1, len(p.paths))
}
