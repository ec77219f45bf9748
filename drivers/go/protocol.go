// The lines on standard input: their grammar. What they cause stands in session.go.

package main

import (
	"errors"
	"strconv"
	"strings"
)

var errNonsense = errors.New("the line makes no sense")

// batch is one order to perform operations.
type batch struct {
	method  int
	count   uint64
	preroll uint64
}

// parseBatch reads the words after `batch`.
func parseBatch(words []string, methods int) (batch, error) {
	if len(words) == 0 {
		return batch{}, errNonsense
	}
	count, err := number(words[0])
	if err != nil {
		return batch{}, err
	}
	b := batch{count: count}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "method":
			b.method, err = methodNumber(value, methods)
		case "preroll":
			b.preroll, err = number(value)
		default:
			err = errNonsense
		}
		if err != nil {
			return batch{}, err
		}
	}
	return b, nil
}

// parseSchedule reads the words after `blocks`, each K:N:P.
func parseSchedule(words []string, methods int) ([]batch, error) {
	if len(words) == 0 {
		return nil, errNonsense
	}
	schedule := make([]batch, len(words))
	for i, word := range words {
		parts := strings.Split(word, ":")
		if len(parts) != 3 {
			return nil, errNonsense
		}
		method, err := methodNumber(parts[0], methods)
		if err != nil {
			return nil, err
		}
		count, err := number(parts[1])
		if err != nil {
			return nil, err
		}
		preroll, err := number(parts[2])
		if err != nil {
			return nil, err
		}
		schedule[i] = batch{method, count, preroll}
	}
	return schedule, nil
}

// parseVerify reads the words after `verify`.
func parseVerify(words []string, methods int) (int, error) {
	switch len(words) {
	case 0:
		return 0, nil
	case 1:
		value, found := strings.CutPrefix(words[0], "method=")
		if !found {
			return 0, errNonsense
		}
		return methodNumber(value, methods)
	default:
		return 0, errNonsense
	}
}

func methodNumber(text string, methods int) (int, error) {
	value, err := number(text)
	if err != nil || value >= uint64(methods) {
		return 0, errNonsense
	}
	return int(value), nil
}

// number allows 62 bits, so that a count and its pre-roll can be added.
func number(text string) (uint64, error) {
	return strconv.ParseUint(text, 10, 62)
}
