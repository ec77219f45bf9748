// template: render a page, from the template in the program or in a file.

package main

import (
	"bytes"
	_ "embed"
	"os"
	"text/template"
)

//go:embed page.template
var embeddedPage string

var embeddedTemplate = template.Must(template.New("page").Parse(embeddedPage))

type pageData struct {
	Name   string
	Number int
}

var page = pageData{Name: "fathom", Number: 42}

func renders(run func(path string) ([]byte, error)) way {
	return eachPath(func(path string, out *sink) error {
		rendered, err := run(path)
		if err != nil {
			return err
		}
		out.take(rendered)
		return nil
	})
}

func executeEmbedded(string) ([]byte, error) { return execute(embeddedTemplate) }

func parseEmbedded(string) ([]byte, error) {
	parsed, err := template.New("page").Parse(embeddedPage)
	if err != nil {
		return nil, err
	}
	return execute(parsed)
}

func parseFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parsed, err := template.New("page").Parse(string(text))
	if err != nil {
		return nil, err
	}
	return execute(parsed)
}

func execute(t *template.Template) ([]byte, error) {
	var rendered bytes.Buffer
	err := t.Execute(&rendered, page)
	return rendered.Bytes(), err
}
