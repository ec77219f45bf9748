<?php
// follow: reads a log while another process still writes it, like tail -f,
// and counts what comes in until the end mark.

final class Follower
{
    private string $rest = '';
    public int $looks = 0;

    /** @param resource $f */
    public function __construct(private $f)
    {
    }

    /** @return string[] the lines that came since the last look */
    public function lines(): array
    {
        $this->looks++;
        fseek($this->f, 0, SEEK_CUR);
        $data = fread($this->f, 65536);
        if ($data === false || $data === '') {
            return [];
        }
        $parts = explode("\n", $this->rest . $data);
        $this->rest = array_pop($parts);
        return $parts;
    }
}

function writer(string $path): string
{
    $code = '$f = fopen($argv[1], "a"); for ($i = 0; $i < 120; $i++) {'
        . ' $s = ""; for ($k = 0; $k < 5; $k++) { $s .= "line " . ($i * 5 + $k) . " " . ($i % 4 ? "ok" : "slow") . "\n"; }'
        . ' fwrite($f, $s); usleep(12000); } fwrite($f, "END\n");';
    return escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg($code) . ' -- ' . escapeshellarg($path);
}

$path = 'growing.log';
file_put_contents($path, '');
$proc = proc_open(writer($path), [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], STDERR], $pipes);
$f = fopen($path, 'r');
$follower = new Follower($f);
$n = 0;
$slow = 0;
$end = microtime(true) + 9;
for ($over = false; !$over && microtime(true) < $end;) {
    foreach ($follower->lines() as $line) {
        if ($line === 'END') {
            $over = true;
            break;
        }
        $n++;
        $slow += str_ends_with($line, 'slow') ? 1 : 0;
    }
    usleep(12000);
}
fclose($f);
proc_close($proc);
printf("%d lines, %d slow\n", $n, $slow);
