<?php
// Renders the leaflets of a tourist kiosk; rendered ones are kept in cache/ until the text changes.

const WORDS = ['{colour}' => 'yellow', '{hours}' => 'three'];

function cached(string $file, string $key): ?string
{
    $text = @file_get_contents($file);
    if ($text === false) {
        return null;
    }
    $first = strtok($text, "\n");
    $body = (string) substr($text, strlen((string) $first) + 1);
    return $first === "<!-- $key " . crc32($body) . ' -->' ? $body : null;
}

function keep(string $file, string $key, string $body): void
{
    $tmp = $file . '.' . getmypid();
    $text = "<!-- $key " . crc32($body) . " -->\n" . $body;
    if (file_put_contents($tmp, $text) !== strlen($text) || !rename($tmp, $file)) {
        @unlink($tmp);
    }
}

function render(string $source): string
{
    $html = preg_replace('/^# (.*)$/m', '<h1>$1</h1>', strtr($source, WORDS));
    return "<article>\n$html</article>\n";
}

$bytes = 0;
$made = 0;
for ($i = 1; $i <= 14; $i++) {
    $source = file_get_contents("leaflets/w$i.tpl");
    $key = md5($source);
    $body = cached("cache/w$i.html", $key);
    if ($body === null) {
        $body = render($source);
        keep("cache/w$i.html", $key, $body);
        $made++;
    }
    $bytes += strlen($body);
}
echo "14 leaflets shown, $made rendered\n";
echo "$bytes bytes\n";
