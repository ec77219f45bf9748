<?php
declare(strict_types=1);

// Counts the posters on the walls of the town from the names of their photos.

final class Walls
{
    /** @var array<string, array<string, int>> */
    private array $walls = [];
    private int $odd = 0;

    public function __construct(private string $dir)
    {
    }

    public function survey(): void
    {
        foreach (scandir($this->dir) as $name) {
            if ($name[0] === '.') {
                continue;
            }
            if (!preg_match('/^(wall\d+)-poster\d+\.(torn|fine)$/', $name, $m)) {
                $this->odd++;
                continue;
            }
            $this->walls[$m[1]][$m[2]] = ($this->walls[$m[1]][$m[2]] ?? 0) + 1;
        }
        ksort($this->walls);
    }

    public function report(): string
    {
        $text = '';
        foreach ($this->walls as $wall => $kinds) {
            $text .= sprintf("%s: %d fine, %d torn\n", $wall, $kinds['fine'] ?? 0, $kinds['torn'] ?? 0);
        }
        return $text . "odd names: $this->odd\n";
    }
}

$walls = new Walls('walls');
$walls->survey();
echo $walls->report();
