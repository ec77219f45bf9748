<?php
// Renders an invoice to html and counts its pages with an external formatter.

function render(string $csv): string
{
    $rows = '';
    foreach (file($csv, FILE_IGNORE_NEW_LINES) as $line) {
        [$name, $qty, $price] = explode(';', $line);
        $rows .= sprintf("<tr><td>%s<td>%d<td>%.2f</tr>\n", htmlspecialchars($name), $qty, $price / 100);
    }
    return "<table>\n$rows</table>\n";
}

$tmp = '/tmp/export_' . getmypid() . '.html';
file_put_contents($tmp, render('invoice.csv'));

exec('wc -l < ' . escapeshellarg($tmp), $out, $status);
unlink($tmp);
if ($status !== 0) {
    fwrite(STDERR, "formatter failed\n");
    exit(1);
}
printf("%d lines, %d pages\n", trim($out[0]), ceil($out[0] / 20));
