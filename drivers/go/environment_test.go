// The driver's own environment variables.

package main

import (
	"strings"
	"testing"
)

func TestTheVariablesOfTheDriver(t *testing.T) {
	path := fileOf(t, knownBytes(10, 1))
	for setting, wanted := range map[string]int{
		"FATHOM_GO_GC=before-batch": exitDone, "FATHOM_GO_GC=": exitDone, "FATHOM_GO_GC=always": exitUsage,
		"FATHOM_GO_LOCK=0": exitDone, "FATHOM_GO_LOCK=1": exitDone, "FATHOM_GO_LOCK=no": exitUsage,
	} {
		command := driverProcess(nil, append([]string{"run"}, arguments(readWhole, "os.ReadFile", 10, 1, path)...)...)
		command.Env = append(command.Env, setting)
		command.Stdin = strings.NewReader("batch 3\n")
		output, _ := command.CombinedOutput()
		if code := command.ProcessState.ExitCode(); code != wanted {
			t.Errorf("%s: exit %d, %s", setting, code, output)
		}
		if said := string(output); wanted == exitUsage != strings.Contains(said, "can only be") || wanted == exitDone != strings.Contains(said, "done ops=3 ") {
			t.Errorf("%s: %s", setting, said)
		}
	}
}

func TestGarbageIsCollectedBeforeTheClock(t *testing.T) {
	t.Setenv(collectVariable, "before-batch")
	path := fileOf(t, knownBytes(10, 1))
	answers := converse(t, arguments(readWhole, "os.ReadFile", 10, 1, path), "batch 3", "batch 3")
	if figure(t, answers[0], "gc_count") != 0 {
		t.Errorf("%q", answers)
	}
}
