/* What fstat told is read, and no more is asked for. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[64];
		struct stat facts;
		long got = 0, count;
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		if (fstat(file, &facts) != 0 || facts.st_size >= (long)sizeof bytes)
			return 1;
		while (got < facts.st_size && (count = read(file, bytes + got, facts.st_size - got)) > 0)
			got += count;
		total += got;
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
