<?php
// The guest book of a lighthouse: an entry is confirmed to the visitor when it is on the disk.
declare(strict_types=1);

final class GuestBook
{
    /** @var resource */
    private $book;

    public function __construct(string $path)
    {
        // 'r+': the book exists since the lighthouse does, no name is made here
        $book = fopen($path, 'r+b');
        if ($book === false) {
            throw new RuntimeException("$path is missing");
        }
        fseek($book, 0, SEEK_END);
        $this->book = $book;
    }

    public function enter(string $line): void
    {
        $bytes = $line . "\n";
        if (fwrite($this->book, $bytes) !== strlen($bytes) || !fsync($this->book)) {
            throw new RuntimeException('the entry could not be kept');
        }
    }

    public function close(): void
    {
        if (!fclose($this->book)) {
            throw new RuntimeException('the book could not be closed');
        }
    }
}

$book = new GuestBook('guests.txt');
$persons = 0;
foreach (file('today.csv', FILE_IGNORE_NEW_LINES) as $n => $row) {
    [$name, $town, $group] = explode(';', $row);
    $book->enter("$name of $town with $group");
    $persons += (int) $group;
    echo 'entry ', $n + 1, " of $name is kept\n";
}
$book->close();
echo "persons today: $persons\n";
