<?php
// Plans the visits of a crawler: the delay of each page, unless the host has an override.
class Planner
{
    private int $clock = 0;
    private array $delays = [];

    private function delay(string $host): int
    {
        return $this->delays[$host] ??= $this->lookUp($host);
    }

    private function lookUp(string $host): int
    {
        $file = "overrides/$host.ini";
        if (is_file($file)) {
            return (int) (parse_ini_file($file)['delay'] ?? 1);
        }
        return 1 + strlen($host) % 3;
    }

    public function visit(string $url): int
    {
        $this->clock += $this->delay(parse_url($url, PHP_URL_HOST));
        return $this->clock;
    }
}

$planner = new Planner();
$n = 0;
foreach (file('frontier.txt', FILE_IGNORE_NEW_LINES) as $url) {
    $last = $planner->visit($url);
    $n++;
}
echo "$n visits, the last after $last s\n";
