// Renders a page from a template that it reads.
package main

import (
	"os"
	"text/template"
)

func main() {
	text, err := os.ReadFile("page.template")
	if err != nil {
		os.Exit(1)
	}
	page := template.Must(template.New("page").Parse(string(text)))
	if page.Execute(os.Stdout, "reader") != nil {
		os.Exit(1)
	}
}
