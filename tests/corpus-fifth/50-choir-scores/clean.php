<?php
// Answers with the scores of a choir as a web server would: headers, then the body, counted.
declare(strict_types=1);

final class Response
{
    public int $bytes = 0;
    /** @var array<string, string> */
    public array $headers = [];

    public function header(string $name, string $value): void
    {
        $this->headers[$name] = $value;
    }

    /** @param resource $in */
    public function body($in): void
    {
        $this->bytes += strlen(stream_get_contents($in));
    }
}

function serve(string $path): ?Response
{
    $in = @fopen($path, 'rb');
    if ($in === false) {
        return null;
    }
    $size = fstat($in)['size'];
    $r = new Response();
    $r->header('Content-Length', (string) $size);
    $r->header('ETag', sprintf('"%s"', hash('crc32b', basename($path) . $size)));
    $r->body($in);
    fclose($in);
    return $r;
}

$total = 0;
$missing = 0;
$tags = '';
for ($i = 1; $i <= 52; $i++) {
    $r = serve("scores/s$i.txt");
    if ($r === null) {
        $missing++;
        continue;
    }
    if ((int) $r->headers['Content-Length'] !== $r->bytes) {
        fwrite(STDERR, "s$i: length is wrong\n");
        exit(1);
    }
    $total += $r->bytes;
    $tags .= $r->headers['ETag'];
}
echo "bytes: $total, missing: $missing\n";
echo 'tags: ', hash('crc32b', $tags), "\n";
