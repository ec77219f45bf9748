// The parts of scenarios that a Go program plays: `PART WORDS…`. It says one
// line of JSON on its standard output.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := play(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("which part?")
	}
	var result any
	var err error
	switch words[0] {
	case "load":
		result, err = load(words[1:])
	case "share":
		result, err = share(words[1:])
	case "await":
		result, err = await()
	case "leak":
		result, err = leak(words[1:])
	default:
		err = fmt.Errorf("there is no part %q", words[0])
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}
