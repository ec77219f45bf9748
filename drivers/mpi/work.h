/* What the operations share: the plan, what is noted of a batch, data and where ranks make files. */
#ifndef FATHOM_MPI_WORK_H
#define FATHOM_MPI_WORK_H

#include "driver.h"

#define POOL_BYTES (1u << 20)
#define EXISTING_BYTES 4096
#define PAGE 4096

/* operations.c: set before anything else is called */
extern struct plan *plan;
extern struct result *current;
extern unsigned char *buffer, *pool;

/* data.c */
void note_into(struct failure *failure);
void note(const char *call, const char *path, int error);
bool has_failed(void);
uint64_t splitmix64(uint64_t x);
uint64_t digest(const unsigned char *data, uint64_t bytes);
uint32_t crc32_of(const unsigned char *data, uint64_t bytes);
uint64_t offset_of(uint64_t k);
uint64_t pool_offset(uint64_t k);
unsigned char *touched(uint64_t bytes);
void fill_pattern(unsigned char *data, uint64_t bytes);
bool write_all(int fd, const unsigned char *data, uint64_t bytes, const char *path);
bool read_all(int fd, unsigned char *data, uint64_t bytes, const char *path);

/* places.c: directories and names of a batch */
extern char batch_directory[PATH_BYTES - 64];
void make_batch_directory(void);
bool make_names(uint64_t operations, int maker);
const char *name_of(uint64_t i);
int other_rank(void);

/* reading.c */
extern unsigned char **held;
extern uint64_t *held_bytes;
void prepare_reading(bool any_null);
void make_ready_to_read(void);
void read_one(uint64_t k);
bool look_at_pages(uint64_t *pages, uint64_t *resident);

/* making.c: files and directories of a batch */
void prepare_making(uint64_t operations);
void make(uint64_t operations);
void close_made(uint64_t operations);
void verify_made(struct result *result);

/* found.c: what others made is looked at or removed */
void prepare_found(uint64_t operations);
void visit_found(uint64_t operations);

/* writing.c */
void prepare_writing(void);
void write_blocks(uint64_t first, uint64_t operations);
void verify_written(void);

#endif
