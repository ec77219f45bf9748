<?php
// A timer service for the kitchen: cooks talk to it through a socket with a known name in /tmp.

const ORDERS = [['set soup 12', 'next'], ['set bread 40', 'set eggs 6'], ['next', 'sing']];

function socket_path(): string
{
    return '/tmp/kitchen-timer-' . posix_getuid() . '.sock';
}

/** @return resource */
function listen(string $path)
{
    $mask = umask(0177);
    // bind makes the name, and fails if anything has it
    $server = stream_socket_server("unix://$path", $code, $error);
    umask($mask);
    if ($server === false) {
        fwrite(STDERR, "$path: $error\n");
        exit(1);
    }
    return $server;
}

function answer(array &$timers, string $line): string
{
    $word = explode(' ', $line);
    switch ($word[0]) {
        case 'set':
            $timers[$word[1]] = (int) $word[2];
            asort($timers);
            return "$word[1] in $word[2] min";
        case 'next':
            $dish = array_key_first($timers);
            return "next $dish at {$timers[$dish]}";
        default:
            return "what is $word[0]?";
    }
}

function cook(string $path): void
{
    foreach (ORDERS as $lines) {
        $client = stream_socket_client("unix://$path");
        foreach ($lines as $line) {
            fwrite($client, "$line\n");
            echo fgets($client);
        }
        fclose($client);
    }
}

$path = socket_path();
$server = listen($path);
$pid = pcntl_fork();
if ($pid === 0) {
    fclose($server);
    cook($path);
    exit(0);
}
$timers = [];
foreach (ORDERS as $ignored) {
    $client = stream_socket_accept($server);
    while (($line = fgets($client)) !== false) {
        fwrite($client, answer($timers, rtrim($line)) . "\n");
    }
    fclose($client);
}
fclose($server);
unlink($path);
pcntl_waitpid($pid, $status);
exit(pcntl_wexitstatus($status));
