/* Goes to where its section begins before it asks and before it reads; that is where it is already. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	long total = 0, section = 0;
	for (int number = 1; number <= 20; number++) {
		char name[32], bytes[64];
		snprintf(name, sizeof name, "data/%d", number);
		FILE *file = fopen(name, "re");
		if (!file || fseek(file, section, SEEK_SET) != 0 || ftell(file) != section)
			return 1;
		if (fseek(file, section, SEEK_SET) != 0)
			return 1;
		total += fread(bytes, 1, sizeof bytes, file);
		fclose(file);
	}
	printf("bytes %ld\n", total);
	return 0;
}
