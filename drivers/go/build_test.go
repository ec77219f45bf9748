// The build without modules: what Fathom falls back to when they cannot be
// fetched.

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDriverBuildsWithoutItsDependencies(t *testing.T) {
	directory := t.TempDir()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sources = append(sources, "page.template")
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(directory, source), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(directory, "go.mod"), []byte("module fathom/driver\n\ngo 1.22\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(directory, "driver")
	build := exec.Command("go", "build", "-tags", "nounix", "-o", program, ".")
	build.Dir = directory
	build.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	const reason = "golang.org/x/sys could not be fetched when this driver was built"
	output, err := exec.Command(program, "describe").Output()
	if err != nil {
		t.Fatal(err)
	}
	var described description
	if err := json.Unmarshal(output, &described); err != nil {
		t.Fatal(err)
	}
	for _, m := range described.Methods {
		if (m.Unavailable == reason) != (m.Name == "unix.Open") || len(m.Operations) == 0 {
			t.Errorf("%+v", m)
		}
	}
	for _, format := range []string{"yaml", "toml"} {
		refused := exec.Command(program, append([]string{"run", "--format", format}, arguments(configLoad, "os.Open+Decoder", 1, 1, program)...)...)
		output, _ := refused.CombinedOutput()
		if refused.ProcessState.ExitCode() != exitUnsupported || !strings.Contains(string(output), "a parser of "+format+" could not be fetched") {
			t.Errorf("%s: %s", format, output)
		}
	}
	var messages bytes.Buffer
	run := exec.Command(program, append([]string{"run"}, arguments(openClose, "unix.Open", 1, 1, program)...)...)
	run.Stderr = &messages
	var exit *exec.ExitError
	if err := run.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUnsupported || !strings.Contains(messages.String(), reason) {
		t.Errorf("%v: %s", err, messages.String())
	}
}
