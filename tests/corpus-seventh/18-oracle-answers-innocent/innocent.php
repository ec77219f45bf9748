<?php
declare(strict_types=1);

// Asks the oracle for the next number until it says 1.

final class Oracle
{
    /** @var resource */
    private $process;
    private array $pipes = [];
    public int $asked = 0;

    public function __construct(array $command)
    {
        $ends = [0 => ['pipe', 'r'], 1 => ['pipe', 'w']];
        $process = proc_open($command, $ends, $this->pipes);
        if ($process === false) {
            throw new RuntimeException('the oracle is silent');
        }
        $this->process = $process;
    }

    public function ask(int $number): int
    {
        fwrite($this->pipes[0], "$number\n");
        $this->asked++;
        return (int) fgets($this->pipes[1]);
    }

    public function leave(): int
    {
        fclose($this->pipes[0]);
        fclose($this->pipes[1]);
        return proc_close($this->process);
    }
}

$oracle = new Oracle(['/usr/bin/perl', 'oracle.pl']);
$number = 78;
$way = [$number];
while ($number !== 1 && count($way) < 200) {
    $number = $oracle->ask($number);
    $way[] = $number;
}
$status = $oracle->leave();
echo implode(' ', $way), "\n";
echo "asked $oracle->asked times, highest ", max($way), ", status $status\n";
