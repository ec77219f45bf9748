// Renders a page from a template that the program carries.
package main

import (
	"embed"
	"os"
	"text/template"
)

//go:embed page.template
var carried embed.FS

func main() {
	page := template.Must(template.ParseFS(carried, "page.template"))
	if page.Execute(os.Stdout, "reader") != nil {
		os.Exit(1)
	}
}
