/* It opens for writing too, but reads as much as the answer said. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	char bytes[64];
	struct stat facts;
	for (int time = 0; time < 2; time++) {
		int file = open("table", O_RDWR | O_CLOEXEC);
		if (file < 0 || fstat(file, &facts) != 0 || facts.st_size > (long)sizeof bytes)
			return 1;
		total += read(file, bytes, facts.st_size);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
