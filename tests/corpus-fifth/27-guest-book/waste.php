<?php
// The guest book of an inn: adds the entries of the day, replacing the file each time.

final class GuestBook
{
    private array $entries;

    public function __construct(private string $file)
    {
        $this->entries = json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR);
    }

    public function add(string $name, string $text): void
    {
        $this->entries[] = ['name' => $name, 'text' => $text];
        $this->save();
    }

    public function count(): int
    {
        return count($this->entries);
    }

    public function last(): array
    {
        return end($this->entries);
    }

    private function save(): void
    {
        $json = json_encode($this->entries, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR);
        $new = $this->file . '.new';
        // never leave a half-written guest book: write beside it, then replace
        if (file_put_contents($new, $json) !== strlen($json)) {
            throw new RuntimeException("cannot write $new");
        }
        if (!rename($new, $this->file)) {
            throw new RuntimeException("cannot replace {$this->file}");
        }
    }
}

$book = new GuestBook('data/guests.json');
foreach (['Ida' => 'Good soup.', 'Uwe' => 'Too much fog.', 'Mai' => 'We come again!'] as $name => $text) {
    $book->add($name, $text);
    echo "thank you, $name\n";
}
echo $book->count(), ' entries, last: ', $book->last()['text'], "\n";
