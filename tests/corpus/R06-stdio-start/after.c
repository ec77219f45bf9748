/* A file that was just opened is read from its beginning. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32];
		struct stat facts;
		snprintf(name, sizeof name, "data/%d", number);
		int file = open(name, O_RDONLY | O_CLOEXEC);
		if (file < 0 || fstat(file, &facts) != 0)
			return 1;
		char *bytes = malloc(facts.st_size);
		total += read(file, bytes, facts.st_size);
		free(bytes);
		close(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
