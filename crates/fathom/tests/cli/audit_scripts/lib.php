<?php

function id(...$all)
{
    return $all;
}

function included($path)
{
    for ($i = 0; $i < 12; $i++) {
        file_exists($path); // INCLUDED
    }
}
