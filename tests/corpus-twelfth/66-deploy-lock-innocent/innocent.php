<?php
// Deploys after the one before it is through: the lock file belongs to another
// process, which cannot tell us when it goes away.
declare(strict_types=1);

const LOCK = __DIR__ . '/state/deploy.lock';

/** Gives the handle of the lock file once we are the one who made it. */
function acquire(float $patience)
{
    $until = microtime(true) + $patience;
    do {
        $h = @fopen(LOCK, 'x');
        if ($h !== false) {
            fwrite($h, (string) getmypid());
            return $h;
        }
        usleep(2000);
    } while (microtime(true) < $until);
    return null;
}

function release($h): void
{
    fclose($h);
    unlink(LOCK);
}

/** Someone else's deploy, which is still running for a while. */
function otherDeploy()
{
    $p = proc_open(
        ['sh', '-c', 'echo other > "$1"; echo started; sleep 1.1; rm "$1"', 'other', LOCK],
        [1 => ['pipe', 'w']],
        $pipes
    );
    fgets($pipes[1]);
    fclose($pipes[1]);
    return $p;
}

function main(): int
{
    if (!is_dir(dirname(LOCK))) {
        mkdir(dirname(LOCK));
    }
    @unlink(LOCK);
    $other = otherDeploy();
    $h = acquire(8.0);
    if ($h === null) {
        fwrite(STDERR, "deploy: lock is held\n");
        return 1;
    }
    $release = ['version' => '4.2.1', 'files' => 17];
    file_put_contents(dirname(LOCK) . '/current.json', json_encode($release));
    release($h);
    proc_close($other);
    echo "deployed {$release['version']} after waiting for the other deploy\n";
    return 0;
}

exit(main());
