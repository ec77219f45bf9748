// template: render a page whose text is in the program, or in a file. Java's
// library has no templates: a program replaces.

import java.io.IOException;
import java.nio.file.Files;

final class Template {
    /** The same text as in page.template. */
    private static final String PAGE = """
            <!doctype html>
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
            """;

    private Template() {}

    // Pages are ASCII, so that characters are bytes.

    static void embedded(Target target, Tools tools, Sink out) {
        out.take(render(PAGE));
    }

    static void readString(Target target, Tools tools, Sink out) throws IOException {
        out.take(render(Files.readString(target.path())));
    }

    static String render(String page) {
        return page.replace("{{.Name}}", "fathom").replace("{{.Number}}", "42");
    }
}
