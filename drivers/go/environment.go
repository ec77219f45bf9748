// The environment variables of this driver, described in main.go.

package main

import (
	"fmt"
	"os"
)

const (
	collectVariable = "FATHOM_GO_GC"
	lockVariable    = "FATHOM_GO_LOCK"
)

// environment is what they ask for.
type environment struct {
	collectFirst bool
	unlocked     bool
}

func (e *environment) read() error {
	switch value := os.Getenv(collectVariable); value {
	case "":
	case "before-batch":
		e.collectFirst = true
	default:
		return fmt.Errorf("%s is %q, and can only be before-batch", collectVariable, value)
	}
	switch value := os.Getenv(lockVariable); value {
	case "", "1":
	case "0":
		e.unlocked = true
	default:
		return fmt.Errorf("%s is %q, and can only be 0 or 1", lockVariable, value)
	}
	return nil
}
