/* Opening it tells whether it can be opened. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[64];
		snprintf(name, sizeof name, "data/%d", number);
		if (access(name, R_OK) != 0)
			continue;
		int file = open(name, O_RDONLY | O_CLOEXEC);
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
