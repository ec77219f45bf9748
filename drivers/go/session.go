// A session: it prepares what the arguments ask for, then obeys lines until
// the input ends.

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
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
		if reason := p.whyNot(m); reason != "" {
			return nil, &unsupportedError{m.name, reason}
		}
		t := newTask(p, m)
		if err := t.takeUp(); isRefusal(err) {
			return nil, &unsupportedError{m.name, err.Error()}
		}
		if m.direct {
			if err := t.perform(0, 0, &sink{}); isRefusal(err) {
				return nil, &unsupportedError{m.name, fmt.Sprintf("O_DIRECT, blocks of %d bytes: %v", p.block, err)}
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
	for _, errno := range []syscall.Errno{syscall.EINVAL, syscall.EOPNOTSUPP, syscall.ENODEV, syscall.ENOSYS} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// obey answers lines until `quit` or the end of input.
func (s *session) obey(in *bufio.Reader, out *bufio.Writer) error {
	fmt.Fprintln(out, "ready")
	for {
		if err := out.Flush(); err != nil {
			return err
		}
		line, err := in.ReadString('\n')
		if err != nil && (err != io.EOF || line == "") {
			if err == io.EOF {
				return nil
			}
			return err
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "quit" {
			return nil
		}
		if err := s.answer(line, out); err != nil {
			return err
		}
	}
}

// answer obeys one line; its error ends the session.
func (s *session) answer(line string, out io.Writer) error {
	words := strings.Fields(line)
	err := errNonsense
	if len(words) > 0 {
		switch words[0] {
		case "batch":
			err = s.answerBatch(words[1:], out)
		case "blocks":
			err = s.answerBlocks(words[1:], out)
		case "verify":
			err = s.answerVerify(words[1:], out)
		case "release":
			if len(words) == 1 {
				s.answerRelease(out)
				err = nil
			}
		}
	}
	var unsupported *unsupportedError
	if errors.As(err, &unsupported) {
		return err
	}
	if err != nil {
		fmt.Fprintln(out, "error op=protocol errno=EINVAL path="+line)
	}
	return nil
}

func (s *session) answerBatch(words []string, out io.Writer) error {
	order, err := parseBatch(words, len(s.tasks))
	if err != nil {
		return err
	}
	if s.latencies != nil && order.count > maxLatencies {
		fmt.Fprintln(out, errorLine(&os.PathError{Op: "latencies", Err: syscall.ENOMEM}, s.plan.latencies))
		return nil
	}
	var result outcome
	var heap heapFigures
	s.timer.reserveLatencies(s.latencies != nil, order.count)
	s.reserveOffsets(order)
	s.perform(order, &result, &heap)
	if result.err == nil && s.latencies != nil {
		if err := s.timer.appendLatencies(s.latencies); err != nil {
			result.err, result.path = err, s.plan.latencies
		}
	}
	if result.err != nil {
		return answerFailure(&result, out)
	}
	fmt.Fprintf(out, "%s%s\n", &result, &heap)
	return nil
}

func (s *session) answerBlocks(words []string, out io.Writer) error {
	schedule, err := parseSchedule(words, len(s.tasks))
	if err != nil {
		return err
	}
	outcomes := make([]outcome, len(schedule))
	s.timer.reserveLatencies(false, 0)
	s.reserveOffsets(schedule...)
	for i := range schedule {
		s.perform(schedule[i], &outcomes[i], nil)
		if outcomes[i].err != nil {
			break
		}
	}
	for i := range outcomes {
		if outcomes[i].err != nil {
			return answerFailure(&outcomes[i], out)
		}
		fmt.Fprintln(out, &outcomes[i])
	}
	fmt.Fprintln(out, "end")
	return nil
}

// answerFailure says what failed, unless it is what cannot be done here at all.
func answerFailure(o *outcome, out io.Writer) error {
	var unsupported *unsupportedError
	if errors.As(o.err, &unsupported) {
		return o.err
	}
	fmt.Fprintln(out, errorLine(o.err, o.path))
	return nil
}

func (s *session) answerRelease(out io.Writer) {
	for _, t := range s.tasks {
		if err := t.release(); err != nil {
			fmt.Fprintln(out, errorLine(err, s.plan.paths[0]))
			return
		}
	}
	fmt.Fprintln(out, "released")
}

func (s *session) answerVerify(words []string, out io.Writer) error {
	number, err := parseVerify(words, len(s.tasks))
	if err != nil {
		return err
	}
	data := sink{full: true}
	var result outcome
	s.reserveOffsets(batch{count: 1})
	s.performUntimed(number, &data, &result)
	if result.err != nil {
		return answerFailure(&result, out)
	}
	fmt.Fprintf(out, "verified bytes=%d crc32=%08x\n", data.bytes, data.crc)
	return nil
}
