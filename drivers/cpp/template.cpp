// template: render a page whose text is in the program, or in a file. The
// language's library has no templates: a program finds and replaces.

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "failure.hpp"
#include "operations.hpp"

namespace driver {

namespace {

// The same text as in page.template.
constexpr std::string_view page_text = R"page(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{.Name}}</title>
</head>
<body>
<h1>{{.Name}}</h1>
<p>Measured {{.Number}} times on this machine.</p>
<table>
<tr><th>method</th><th>time</th></tr>
<tr><td>method 1 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 2 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 3 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 4 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 5 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 6 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 7 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 8 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 9 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 10 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 11 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<tr><td>method 12 of {{.Name}}</td><td>{{.Number}} ns</td></tr>
<!--.............-->
</table>
</body>
</html>
)page";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

}  // namespace

std::string render(std::string page) {
    replace_all(page, "{{.Name}}", "fathom");
    replace_all(page, "{{.Number}}", "42");
    return page;
}

void render_embedded(const std::string&, Buffers&, Sink& out) {
    const std::string page = render(std::string(page_text));
    out.take(page);
}

void render_ifstream(const std::string& path, Buffers&, Sink& out) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        fail("std::ifstream");
    }
    std::ostringstream text;
    text << in.rdbuf();
    if (in.bad()) {
        fail("std::ifstream::rdbuf");
    }
    const std::string page = render(std::move(text).str());
    out.take(page);
}

}  // namespace driver
