/* The open is the question. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[64];
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		if (file < 0)
			continue;
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
