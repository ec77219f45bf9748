/* Read once, and kept. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char header[65536];

int main(void)
{
	long total = 0;
	int file = open("table", O_RDONLY | O_CLOEXEC);
	long size = pread(file, header, sizeof header, 0);
	for (int record = 0; record < 20; record++)
		total += size + record;
	close(file);
	printf("sum %ld\n", total);
	return 0;
}
