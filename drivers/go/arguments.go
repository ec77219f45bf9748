// The arguments of `run` and what they must satisfy. Nothing is opened here.

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// plan is what the arguments of `run` ask for.
type plan struct {
	operation  operation
	methods    []method
	paths      []string
	size       int64
	block      int64
	sequential bool
	unaligned  bool
	// buffer is reused, fresh or stack.
	buffer    string
	seed      uint64
	marks     bool
	latencies string
	settings
	environment
	// directories are where operations that write make their files.
	directories *directories
}

// parseArguments reads the arguments of `run`; messages takes the usage text.
func parseArguments(args []string, messages io.Writer) (*plan, error) {
	p := &plan{size: -1, block: 65536, buffer: "reused", seed: 1, settings: defaultSettings()}
	var names []string
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.Func("operation", "what one operation `does`", p.setOperation)
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
		for _, path := range strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00") {
			p.paths = append(p.paths, path)
		}
		return err
	})
	flags.Func("size", "`bytes` in each file", func(text string) error { return setBytes(&p.size, text) })
	flags.Func("block", "`bytes` read at once", func(text string) error { return setBytes(&p.block, text) })
	flags.Func("access", "`random` or sequential", choice(&p.sequential, "random", "sequential"))
	flags.Func("alignment", "`aligned` or unaligned", choice(&p.unaligned, "aligned", "unaligned"))
	flags.Func("buffer", "`reused`, fresh or stack", oneOf(&p.buffer, "reused", "fresh", "stack"))
	flags.Func("seed", "`number` that the random offsets follow from", p.setSeed)
	flags.BoolVar(&p.marks, "marks", false, "mark the clock's region for a tracer")
	flags.StringVar(&p.latencies, "latencies", "", "append each operation's time to this `file`")
	p.settings.register(flags)
	if err := p.environment.read(); err != nil {
		return nil, err
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err := p.setMethods(names); err != nil {
		return nil, err
	}
	return p, p.check()
}

func (p *plan) setOperation(word string) error {
	if p.operation != "" {
		return errors.New("given twice")
	}
	for _, known := range operations {
		if word == string(known) {
			p.operation = known
			return nil
		}
	}
	return errors.New("unknown operation")
}

func (p *plan) setSeed(text string) error {
	seed, err := strconv.ParseUint(text, 10, 64)
	p.seed = seed
	return err
}

func (p *plan) setMethods(names []string) error {
	if p.operation == "" {
		return errors.New("--operation is missing")
	}
	if len(names) == 0 {
		return errors.New("--method is missing")
	}
	for _, name := range names {
		m, err := findMethod(name)
		if err != nil {
			return err
		}
		if !m.performs(p.operation) {
			return fmt.Errorf("method %q cannot perform %s", name, p.operation)
		}
		p.methods = append(p.methods, m)
	}
	return nil
}

func (p *plan) check() error {
	takesBlock := p.operation == openReadClose || p.operation.hasOffsets()
	switch {
	case p.operation.takesFiles() && len(p.paths) == 0:
		return errors.New("--path is missing")
	case p.block < 1:
		return errors.New("--block must be at least 1")
	case takesBlock && p.size < 0:
		return fmt.Errorf("%s needs --size", p.operation)
	case p.operation.hasOffsets() && p.places() < 1:
		return fmt.Errorf("a file of %d bytes has no such block of %d bytes", p.size, p.block)
	case p.operation == writeBlock && p.block > poolBytes:
		return fmt.Errorf("write-block writes at most %d bytes at once", poolBytes)
	}
	return p.settings.check(p.operation, p.methods)
}

// turns is how many operations it takes until the same files come again.
func (p *plan) turns() int {
	if p.operation == configLoad {
		return 1
	}
	return max(1, len(p.paths))
}

// whyNot says why a method cannot be performed with these arguments; empty when it can.
func (p *plan) whyNot(m method) string {
	switch {
	case m.unavailable != "":
		return m.unavailable
	case p.buffer == "stack" && !m.isNull:
		return p.whyNotOnStack(m)
	case m.sequential && p.operation == writeBlock && !p.sequential:
		return "it writes one block after the other, not at random places"
	case p.operation == configLoad:
		_, reason := findFormat(p.format)
		return reason
	default:
		return ""
	}
}

func setBytes(target *int64, text string) error {
	// 63 bits, so that the number is also a file offset.
	value, err := strconv.ParseUint(text, 10, 63)
	*target = int64(value)
	return err
}

// choice sets target when the word is the second one.
func choice(target *bool, first, second string) func(string) error {
	return func(word string) error {
		if word != first && word != second {
			return fmt.Errorf("neither %s nor %s", first, second)
		}
		*target = word == second
		return nil
	}
}
