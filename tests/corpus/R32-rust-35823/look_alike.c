/* It reads what another end appends, with more and more room: none of it is ever filled. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char bytes[1 << 16];

int main(void)
{
	char line[600];
	long got = 0;
	memset(line, 'x', sizeof line);
	int writer = open("text1", O_WRONLY | O_TRUNC | O_APPEND | O_CLOEXEC);
	int reader = open("text1", O_RDONLY | O_CLOEXEC);
	struct stat facts;
	if (fstat(reader, &facts) < 0 || !S_ISREG(facts.st_mode))
		return 1;
	for (long size = 1024; size <= (long)sizeof bytes; size *= 2) {
		if (write(writer, line, sizeof line) != sizeof line)
			return 1;
		got += read(reader, bytes, size);
	}
	printf("bytes %ld\n", got);
	return 0;
}
