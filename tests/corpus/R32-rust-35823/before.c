/* 32, 64, 128 … bytes, each read filling the buffer to its end. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 5; number++) {
		char name[32];
		long size = 32, got = 0;
		char *bytes = malloc(size);
		snprintf(name, sizeof name, "text%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		while (got < 2016) {
			long count = read(file, bytes + got, size);
			if (count <= 0)
				return 1;
			got += count;
			size *= 2;
			bytes = realloc(bytes, got + size);
		}
		total += got;
		free(bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
