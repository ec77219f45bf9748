<?php
// Books the returned choir robes in: the loan slip of each returned robe is taken away.

final class LoanDesk
{
    public int $unknown = 0;
    /** @var list<int> */
    public array $returned = [];

    public function __construct(private string $dir)
    {
    }

    private function slip(int $robe): string
    {
        return "{$this->dir}/robe$robe.slip";
    }

    public function takeBack(int $robe): void
    {
        $slip = $this->slip($robe);
        if (@unlink($slip)) {
            $this->returned[] = $robe;
        } elseif (str_ends_with(error_get_last()['message'] ?? '', 'No such file or directory')) {
            $this->unknown++;
        } else {
            throw new RuntimeException("cannot remove $slip");
        }
    }
}

/** The robes on the rack after the concert. */
function rack(): iterable
{
    for ($i = 0; $i < 60; $i++) {
        if ($i % 7 !== 6) {
            yield $i;
        }
    }
}

$desk = new LoanDesk('loans');
foreach (rack() as $robe) {
    $desk->takeBack($robe);
}
printf("%d robes returned, %d had no slip\n", count($desk->returned), $desk->unknown);
$open = count(array_diff(scandir('loans'), ['.', '..']));
printf("%d robes still out\n", $open);
