// Pushes the metrics of twenty services to a sink.
package main

import (
	"fmt"
	"os"
)

type sample struct {
	service  string
	requests int
	errors   int
}

func push(sink *os.File, s sample) error {
	_, err := fmt.Fprintf(sink, "%s requests=%d errors=%d\n", s.service, s.requests, s.errors)
	return err
}

func main() {
	sink, err := os.OpenFile("metrics.sink", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	requests := 0
	lost := 0
	for i := 0; i < 20; i++ {
		s := sample{fmt.Sprintf("svc-%02d", i), i * i * 3, i % 4}
		requests += s.requests
		if push(sink, s) != nil {
			lost++
		}
	}
	if err := sink.Close(); err != nil || lost > 0 {
		fmt.Fprintln(os.Stderr, "metrics.sink:", lost, "samples lost", err)
	}
	fmt.Println("20 services,", requests, "requests")
}
