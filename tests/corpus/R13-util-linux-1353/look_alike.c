/* What is no regular file is not opened blindly: its kind decides how. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	int directories = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32];
		struct stat facts;
		snprintf(name, sizeof name, "data/d%d", number);
		if (lstat(name, &facts) != 0 || !S_ISDIR(facts.st_mode))
			continue;
		int directory = open(name, O_RDONLY | O_CLOEXEC);
		directories += directory >= 0;
		close(directory);
	}
	printf("directories %d\n", directories);
	return 0;
}
