<?php
// Takes in mail round by round; senders drop new files at any time.

class Inbox
{
    private int $arrivals = 0;
    public int $taken = 0;

    public function __construct(private string $dir, private string $seen)
    {
    }

    // what the delivery agent does meanwhile
    public function deliver(int $n): void
    {
        for ($i = 0; $i < $n; $i++) {
            $this->arrivals++;
            file_put_contents("{$this->dir}/m{$this->arrivals}", "mail {$this->arrivals}\n");
        }
    }

    public function round(): int
    {
        $names = array_diff(scandir($this->dir), ['.', '..']);
        foreach ($names as $n) {
            rename("{$this->dir}/$n", "{$this->seen}/$n");
            $this->taken++;
        }
        return count($names);
    }
}

$inbox = new Inbox('inbox', 'seen');
$sizes = [];
for ($r = 0; $r < 12; $r++) {
    $sizes[] = $inbox->round();
    $inbox->deliver($r % 3 + 1);
}
echo implode(' ', $sizes), " = $inbox->taken\n";
