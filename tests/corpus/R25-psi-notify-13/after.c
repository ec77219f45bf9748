/* Opens each entry by its name below the descriptor. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	struct dirent *entry;
	DIR *directory = opendir("tree/of/files");
	while ((entry = readdir(directory))) {
		char bytes[64];
		if (entry->d_name[0] == '.')
			continue;
		int file = openat(dirfd(directory), entry->d_name, O_RDONLY | O_CLOEXEC);
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	closedir(directory);
	printf("bytes %ld\n", total);
	return 0;
}
