/* O_DIRECTORY refuses all else with ENOTDIR: fstat tells nothing new. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	int directories = 0;
	for (int number = 1; number <= 80; number++) {
		char name[32];
		struct stat facts;
		snprintf(name, sizeof name, "tree/%d", number);
		int directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (directory < 0 || fstat(directory, &facts) != 0 || !S_ISDIR(facts.st_mode))
			return 1;
		directories++;
		close(directory);
	}
	printf("directories %d\n", directories);
	return 0;
}
