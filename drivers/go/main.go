// The entry of the driver: `describe` or `run`, what scenarios ask of this runtime
// (`allocate`, `read-all`, `call-times`, `first-read`), and the exit codes. It does
// not know what a method does.
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
	if len(args) == 0 {
		fmt.Fprintln(messages, "usage: driver describe | driver run --operation NAME --method NAME --path FILE …")
		return exitUsage
	}
	var err error
	switch args[0] {
	case "describe":
		err = describe(out)
	case "run":
		err = run(args[1:], in, out, messages)
	case "allocate":
		err = allocate(args[1:], out)
	case "read-all":
		err = seeReadAll(args[1:], out)
	case "call-times":
		err = timeCalls(args[1:], out)
	case "first-read":
		err = readFirst(args[1:], out)
	default:
		err = fmt.Errorf("unknown command %q", args[0])
	}
	return exitCode(err, messages)
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

func exitCode(err error, messages io.Writer) int {
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

type description struct {
	Protocol int                 `json:"protocol"`
	Driver   string              `json:"driver"`
	Language string              `json:"language"`
	Runtime  string              `json:"runtime"`
	Methods  []methodDescription `json:"methods"`
}

type methodDescription struct {
	Name        string      `json:"name"`
	Operations  []operation `json:"operations"`
	Does        string      `json:"does"`
	Unavailable string      `json:"unavailable,omitempty"`
	Takes       []string    `json:"takes,omitempty"`
	Flaw        string      `json:"flaw,omitempty"`
}

func describe(out io.Writer) error {
	answer := description{Protocol: 1, Driver: "go", Language: "Go", Runtime: runtime.Version()}
	for _, m := range methods {
		answer.Methods = append(answer.Methods, methodDescription{m.name, m.operations(), m.does, m.unavailable, m.takes, m.flaw})
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(answer)
}
