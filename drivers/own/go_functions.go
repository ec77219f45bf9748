// Lists the exported functions of one Go file, with the language's own parser, as JSON:
// `driver FILE`. The source comes back as a package that the driver can import.

package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

type answer struct {
	// Excluded says that the file's name or its //go:build line keeps it out of a build here.
	Excluded  bool      `json:"excluded"`
	Functions []string  `json:"functions"`
	Skipped   []skipped `json:"skipped"`
	Source    string    `json:"source"`
}

type skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

func main() {
	if err := list(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func list(path string) error {
	matches, err := build.Default.MatchFile(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	found := answer{Excluded: !matches, Functions: []string{}, Skipped: []skipped{}}
	for _, declaration := range file.Decls {
		function, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction || function.Recv != nil || !function.Name.IsExported() {
			continue
		}
		if function.Type.TypeParams != nil {
			found.Skipped = append(found.Skipped, skipped{function.Name.Name, "has type parameters"})
			continue
		}
		found.Functions = append(found.Functions, function.Name.Name)
	}
	// A program cannot be imported; the lines stay what they are, and are those of the user's file.
	begin, end := files.Position(file.Name.Pos()).Offset, files.Position(file.Name.End()).Offset
	found.Source = "//line " + path + ":1\n" + string(text[:begin]) + "own" + string(text[end:])
	return json.NewEncoder(os.Stdout).Encode(found)
}
