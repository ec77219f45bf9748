// The entry of the driver: `describe` or `run`, what scenarios ask of this runtime
// (`allocate`, `read-all`, `call-times`, `first-read`), and the exit codes.
//
// Two environment variables are this driver's own, for experiments with the
// runtime:
//
//	FATHOM_GO_GC=before-batch  collects garbage before the clock of every batch
//	                           starts; otherwise only once, before `ready`
//	FATHOM_GO_LOCK=0           lets the runtime move the operations between
//	                           threads; otherwise (1) runtime.LockOSThread
//	                           keeps them on the process's first one
//
// GOMAXPROCS, GOGC and GODEBUG work as in any Go program: the driver sets none.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
)

const (
	exitDone        = 0
	exitUsage       = 2
	exitUnsupported = 77
)

// The operations stay on the process's first thread, so that a thread's
// figures cover all of them. Only init still runs on that thread for certain.
func init() {
	if os.Getenv(lockVariable) != "0" {
		runtime.LockOSThread()
	}
}

func main() {
	os.Exit(drive(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// drive is the whole program, with its streams as arguments.
func drive(args []string, in io.Reader, out, messages io.Writer) int {
	commands := map[string]func(args []string, out io.Writer) error{
		"describe":   describe,
		"run":        func(args []string, out io.Writer) error { return run(args, in, out, messages) },
		"allocate":   allocate,
		"read-all":   seeReadAll,
		"call-times": timeCalls,
		"first-read": readFirst,
	}
	err := errors.New("usage: driver describe | driver run --operation NAME --method NAME --path FILE …")
	if len(args) > 0 && commands[args[0]] != nil {
		err = commands[args[0]](args[1:], out)
	}
	var unsupported *unsupportedError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitDone
	case errors.As(err, &unsupported):
		fmt.Fprintln(messages, unsupported)
		return exitUnsupported
	default:
		fmt.Fprintln(messages, "error:", err)
		return exitUsage
	}
}

func run(args []string, in io.Reader, out, messages io.Writer) error {
	plan, err := parseArguments(args, messages)
	if err != nil {
		return err
	}
	session, err := prepare(plan)
	if err != nil {
		return err
	}
	return session.obey(bufio.NewReader(in), bufio.NewWriter(out))
}

type description struct {
	Protocol int      `json:"protocol"`
	Driver   string   `json:"driver"`
	Language string   `json:"language"`
	Runtime  string   `json:"runtime"`
	Methods  []method `json:"methods"`
}

func describe(_ []string, out io.Writer) error {
	answer := description{Protocol: 1, Driver: "go", Language: "Go", Runtime: runtime.Version()}
	for _, m := range methods {
		m.Operations = m.operations()
		answer.Methods = append(answer.Methods, m)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(answer)
}
