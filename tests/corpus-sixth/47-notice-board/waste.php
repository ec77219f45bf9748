<?php
// Shows the notice board of each town. One process serves one request; the template is compiled
// to PHP and kept in cache/ so that later requests can include it.

const TOWNS = ['Alder', 'Brook', 'Croft', 'Dale', 'Elm', 'Ford', 'Glen', 'Holt'];

function compile(string $template): string
{
    $php = "<?php\nfunction board(array \$v): string\n{\n    \$t = '';\n";
    foreach (explode("\n", rtrim($template)) as $line) {
        $quoted = var_export($line, true);
        $quoted = preg_replace('/\{\{(\w+)\}\}/', "' . (\$v['$1'] ?? '-') . '", $quoted);
        $php .= "    \$t .= $quoted . \"\\n\";\n";
    }
    return $php . "    return \$t;\n}\n";
}

function compiled(string $template): string
{
    $cache = 'cache/' . basename($template, '.tpl') . '.php';
    if (!is_file($cache) || filemtime($cache) < filemtime($template)) {
        file_put_contents("$cache.new", compile(file_get_contents($template)));
        rename("$cache.new", $cache);
    }
    return $cache;
}

function request(string $town): string
{
    require compiled('board.tpl');
    $vars = ['town' => $town];
    for ($d = 0; $d < 7; $d++) {
        $vars["day$d"] = 'day ' . (strlen($town) + $d) % 7;
    }
    $page = board($vars);
    return sprintf("%-6s %d bytes, %d lines, crc %08x\n", $town, strlen($page), substr_count($page, "\n"), crc32($page));
}

if (isset($argv[1])) {
    echo request($argv[1]);
    exit(0);
}
foreach (TOWNS as $town) {
    $child = proc_open([PHP_BINARY, '-n', __FILE__, $town], [1 => ['pipe', 'w']], $pipes);
    echo stream_get_contents($pipes[1]);
    fclose($pipes[1]);
    proc_close($child);
}
