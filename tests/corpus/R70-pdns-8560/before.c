/* A copy for each pass, and nobody closes it. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	int file = open("words", O_RDONLY | O_CLOEXEC);
	for (int pass = 0; pass < 20; pass++) {
		char bytes[64];
		int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
		total += pread(copy, bytes, sizeof bytes, pass);
	}
	close(file);
	printf("bytes %ld\n", total);
	return 0;
}
