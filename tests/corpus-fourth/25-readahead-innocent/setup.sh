perl -e 'print pack("L<*", map { $_ * 2654435761 % 4294967296 } 1 .. 2097152)' > volume.img
