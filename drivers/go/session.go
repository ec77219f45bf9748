// A session: it prepares what the arguments ask for, then obeys lines until
// the input ends.

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// session is one `run`, with everything allocated that its batches need.
type session struct {
	plan      *plan
	tasks     []task
	performed []uint64
	timer     timer
	latencies *os.File
}

// prepare binds the methods to the files and takes up what they hold. A file
// that cannot be opened is not reported here but by the batch that needs it.
func prepare(p *plan) (*session, error) {
	// A mapped file that is shorter than its mapping must fail, not kill.
	debug.SetPanicOnFault(true)
	s := &session{plan: p, performed: make([]uint64, len(p.methods)), timer: newTimer(p)}
	if p.operation.writes() {
		p.directories = &directories{root: p.directory}
		raiseLimit()
	}
	for _, m := range p.methods {
		t, err := newTask(p, m)
		if err != nil {
			return nil, &unsupportedError{m.Name, err.Error()}
		}
		if err := t.takeUp(); isRefusal(err) {
			return nil, &unsupportedError{m.Name, err.Error()}
		}
		if m.direct {
			if err := t.perform(0, 0, &sink{}); isRefusal(err) {
				return nil, &unsupportedError{m.Name, fmt.Sprintf("O_DIRECT, blocks of %d bytes: %v", p.block, err)}
			}
		}
		s.tasks = append(s.tasks, t)
	}
	if p.latencies != "" {
		f, err := os.OpenFile(p.latencies, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		s.latencies = f
	}
	// The first collection of a process allocates for itself; as testing.B does,
	// have it over before anything is counted.
	runtime.GC()
	return s, nil
}

// isRefusal tells a kernel or file system that cannot from a file that is not there.
func isRefusal(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENOSYS)
}

// obey answers lines until `quit` or the end of input.
func (s *session) obey(in *bufio.Reader, out *bufio.Writer) error {
	fmt.Fprintln(out, "ready")
	for {
		if err := out.Flush(); err != nil {
			return err
		}
		line, err := in.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		if line == "quit" || line == "" && err == io.EOF {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		var unsupported *unsupportedError
		if err := s.answer(line, out); errors.As(err, &unsupported) {
			return err
		} else if err != nil {
			fmt.Fprintln(out, err)
		}
	}
}

// The grammar of lines. Counts have 62 bits at most, so that one and its pre-roll
// can be added.
var (
	batchLine  = regexp.MustCompile(`^batch (\d{1,18})(?: method=(\d{1,9}))?(?: preroll=(\d{1,18}))?$`)
	blocksLine = regexp.MustCompile(`^blocks( \d{1,9}:\d{1,18}:\d{1,18})+$`)
	verifyLine = regexp.MustCompile(`^verify(?: method=(\d{1,9}))?$`)
)

// answer obeys one line; its error is the answer, or ends the session.
func (s *session) answer(line string, out io.Writer) error {
	nonsense := errors.New("error op=protocol errno=EINVAL path=" + line)
	var orders []batch
	if words := batchLine.FindStringSubmatch(line); words != nil {
		orders = []batch{{number(words[2]), number(words[1]), number(words[3])}}
	} else if words := verifyLine.FindStringSubmatch(line); words != nil {
		orders = []batch{{method: number(words[1])}}
	} else if blocksLine.MatchString(line) {
		for _, word := range strings.Fields(line)[1:] {
			parts := strings.Split(word, ":")
			orders = append(orders, batch{number(parts[0]), number(parts[1]), number(parts[2])})
		}
	} else if line == "release" {
		return s.answerRelease(out)
	} else {
		return nonsense
	}
	for _, order := range orders {
		if order.method >= uint64(len(s.tasks)) {
			return nonsense
		}
	}
	switch line[:2] {
	case "ba":
		return s.answerBatch(orders[0], out)
	case "bl":
		return s.answerBlocks(orders, out)
	default:
		return s.answerVerify(orders[0].method, out)
	}
}

// number is that of digits; 0 where there are none.
func number(digits string) uint64 {
	value, _ := strconv.ParseUint(digits, 10, 64)
	return value
}

func (s *session) answerBatch(order batch, out io.Writer) error {
	s.timer.latencies = nil
	if s.latencies != nil {
		if order.count > maxLatencies {
			return failure(&os.PathError{Op: "latencies", Err: syscall.ENOMEM}, s.plan.latencies)
		}
		s.timer.latencies = make([]int64, order.count)
	}
	var result outcome
	var heap heapFigures
	s.reserveOffsets(order)
	if err := s.perform(order, &result, &heap); err != nil {
		return err
	}
	if s.latencies != nil {
		if err := s.timer.appendLatencies(s.latencies); err != nil {
			return failure(err, s.plan.latencies)
		}
	}
	fmt.Fprintf(out, "%s%s\n", &result, &heap)
	return nil
}

func (s *session) answerBlocks(schedule []batch, out io.Writer) error {
	outcomes := make([]outcome, len(schedule))
	s.timer.latencies = nil
	s.reserveOffsets(schedule...)
	var err error
	done := 0
	for ; done < len(schedule) && err == nil; done++ {
		err = s.perform(schedule[done], &outcomes[done], nil)
	}
	if err != nil {
		done--
	}
	for i := range outcomes[:done] {
		fmt.Fprintln(out, &outcomes[i])
	}
	if err == nil {
		fmt.Fprintln(out, "end")
	}
	return err
}

func (s *session) answerRelease(out io.Writer) error {
	for _, t := range s.tasks {
		if err := t.release(); err != nil {
			return failure(err, s.plan.paths[0])
		}
	}
	fmt.Fprintln(out, "released")
	return nil
}

func (s *session) answerVerify(method uint64, out io.Writer) error {
	data := sink{full: true}
	s.reserveOffsets(batch{count: 1})
	if err := s.performUntimed(method, &data); err != nil {
		return err
	}
	fmt.Fprintf(out, "verified bytes=%d crc32=%08x\n", data.bytes, data.crc)
	return nil
}
