<?php
// Three desks hand out ticket numbers from one counter file. Each desk is a process of its
// own, so every number means: lock, read, write, unlock.
declare(strict_types=1);

const PER_DESK = 100;
const DESKS = 3;

/** @param resource $f */
function nextTicket($f): int
{
    if (!flock($f, LOCK_EX)) {
        throw new RuntimeException('cannot lock the counter');
    }
    rewind($f);
    $n = (int) fread($f, 32) + 1;
    rewind($f);
    fwrite($f, (string) $n);
    fflush($f);
    flock($f, LOCK_UN);
    return $n;
}

function desk(string $counter): void
{
    $f = fopen($counter, 'r+');
    stream_set_read_buffer($f, 0);
    $numbers = [];
    for ($i = 0; $i < PER_DESK; $i++) {
        $numbers[] = nextTicket($f);
        usleep(200);
    }
    fclose($f);
    echo json_encode($numbers), "\n";
}

function main(string $here): void
{
    if (!is_dir("$here/out")) {
        mkdir("$here/out");
    }
    $counter = "$here/out/counter";
    file_put_contents($counter, '0');
    $desks = [];
    for ($d = 0; $d < DESKS; $d++) {
        $pipes = [];
        $proc = proc_open([PHP_BINARY, '-n', __FILE__, 'desk', $counter], [1 => ['pipe', 'w']], $pipes);
        $desks[] = [$proc, $pipes[1]];
    }
    $all = [];
    foreach ($desks as [$proc, $pipe]) {
        $all = array_merge($all, json_decode(stream_get_contents($pipe), true));
        fclose($pipe);
        proc_close($proc);
    }
    sort($all);
    $unique = count(array_unique($all));
    printf("%d tickets, %d different, last %d, counter %s\n", count($all), $unique, end($all), file_get_contents($counter));
}

if (($argv[1] ?? '') === 'desk') {
    desk($argv[2]);
} else {
    main(__DIR__);
}
