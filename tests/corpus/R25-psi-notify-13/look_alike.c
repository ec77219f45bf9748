/* A few of the entries. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	long total = 0;
	struct dirent *entry;
	DIR *directory = opendir("tree/of/files");
	while ((entry = readdir(directory))) {
		char path[300], bytes[64];
		if (!strchr(entry->d_name, '7'))
			continue;
		snprintf(path, sizeof path, "tree/of/files/%s", entry->d_name);
		int file = open(path, O_RDONLY | O_CLOEXEC);
		total += read(file, bytes, sizeof bytes);
		close(file);
	}
	closedir(directory);
	printf("bytes %ld\n", total);
	return 0;
}
