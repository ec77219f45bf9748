"""The table of methods: the one list that `describe` prints and `run` looks in.
How each method works stands in the file of its operation.
"""

import hashlib
import os

import config_load
import copy_file
import create
import hashing
import lines
import open_close
import open_missing
import open_read_close
import open_write_close
import read_block
import read_whole
import reload
import search
import truncate
import write_block
from write_task import CopyTask, CreateTask, WriteBlockTask

OPERATIONS = (
    "null", "open-close", "open-missing", "open-write-close", "open-read-close", "read-whole", "read-block",
    "lines", "search", "hash", "create", "write-block", "copy", "config-load", "reload", "truncate",
)

# The tasks of operations that make files.
WRITERS = {"create": CreateTask, "write-block": WriteBlockTask, "copy": CopyTask, "truncate": truncate.TruncateTask}


class Method:
    """One way to perform operations, with a function for each that it can perform."""

    def __init__(self, name, does, call="read", takes_buffer=False, creates=False, formats=("json",), unavailable=None, **functions):
        self.name = name
        self.does = does
        # What it calls after opening, for errors.
        self.call = call
        self.takes_buffer = takes_buffer
        self.creates = creates
        # What it parses where it loads configurations.
        self.formats = formats
        self.unavailable = unavailable
        self.functions = {operation.replace("_", "-"): function for operation, function in functions.items()}

    @property
    def operations(self):
        return [operation for operation in OPERATIONS if operation in self.functions]


def md5_refusal():
    """Why there is no MD5 here, as on systems that allow approved hashes only."""
    try:
        hashlib.md5()
    except ValueError as error:
        return f"no MD5 in this Python: {error}"
    return None


NO_MD5 = md5_refusal()
NO_FILE_DIGEST = None if hasattr(hashlib, "file_digest") else "hashlib.file_digest came with Python 3.11"
NO_COPY_FILE_RANGE = None if hasattr(os, "copy_file_range") else "no os.copy_file_range on this system"
NO_PREADV = None if hasattr(os, "preadv") else "no os.preadv on this system"

METHODS = (
    Method("open+rb", "with open(path, 'rb')", open_close=open_close.open_rb, open_missing=open_missing.open_rb),
    Method("open+r", "with open(path, 'r', encoding='latin-1')", open_close=open_close.open_r, open_missing=open_missing.open_r),
    Method("open+rb+buffering=0", "with open(path, 'rb', buffering=0)", open_close=open_close.open_rb_unbuffered, open_missing=open_missing.open_rb_unbuffered),
    Method("pathlib.Path.open", "with pathlib.Path(path).open('rb'); the Path is made each time", open_close=open_close.path_open, open_missing=open_missing.path_open),
    Method("os.open", "os.open with O_RDONLY, os.close", open_close=open_close.os_open, open_missing=open_missing.os_open),
    Method("io.FileIO", "with io.FileIO(path)", open_close=open_close.file_io, open_missing=open_missing.file_io),

    Method("open+r+b", "with open(path, 'r+b')", open_write_close=open_write_close.open_r_plus_b),
    Method(
        "open+wb", "with open(path, 'wb'), which truncates the file; create: file.write, file.flush and os.fsync where asked",
        call="write", creates=True, open_write_close=open_write_close.open_wb, create=create.OpenWb,
    ),
    Method("open+ab", "with open(path, 'ab'), which goes to the end of the file", creates=True, open_write_close=open_write_close.open_ab),
    Method("os.open+O_WRONLY", "os.open with O_WRONLY, os.close", open_write_close=open_write_close.os_open_wronly),

    Method(
        "open+rb+read", "with open(path, 'rb'): file.read of the block, or of all",
        open_read_close=open_read_close.open_rb_read, read_whole=read_whole.open_rb_read,
    ),
    Method(
        "open+rb+buffering=0+read", "with open(path, 'rb', buffering=0): file.read of the block",
        open_read_close=open_read_close.open_rb_unbuffered_read,
    ),
    Method(
        "open+rb+readinto", "with open(path, 'rb'): file.readinto a buffer of the right size", takes_buffer=True,
        open_read_close=open_read_close.open_rb_readinto, read_whole=read_whole.open_rb_readinto,
    ),
    Method(
        "os.open+os.read", "os.open, os.read (for a whole file in pieces of the block size until it returns nothing), os.close",
        open_read_close=open_read_close.os_open_read, read_whole=read_whole.os_open_read,
    ),
    Method("os.open+os.pread", "os.open, os.pread, os.close", call="pread", open_read_close=open_read_close.os_open_pread),
    Method(
        "mmap",
        "with open(path, 'rb'), mmap.mmap with ACCESS_READ, a byte touched per page; read-block keeps the mapping and slices a memoryview of it; "
        "write-block assigns to slices of a mapping with ACCESS_WRITE of the file grown to its size",
        call="mmap", open_read_close=open_read_close.map_start, read_whole=read_whole.map_whole, read_block=read_block.Mapping,
        write_block=write_block.Mapping,
    ),

    Method("open+r+read", "with open(path, 'r', encoding='latin-1', newline=''): file.read", read_whole=read_whole.open_r_read),
    Method("pathlib.Path.read_bytes", "pathlib.Path(path).read_bytes; the Path is made each time", read_whole=read_whole.path_read_bytes),
    Method("open+rb+buffering=0+readall", "with open(path, 'rb', buffering=0): file.readall", read_whole=read_whole.open_rb_unbuffered_readall),

    Method("open+rb+seek+read", "file.seek, file.read of a file opened with 'rb'", read_block=read_block.SeekAndRead),
    Method("open+rb+buffering=0+seek+read", "file.seek, file.read of a file opened with 'rb', buffering=0", read_block=read_block.UnbufferedSeekAndRead),
    Method("os.pread", "os.pread", call="pread", read_block=read_block.Pread),
    Method("os.pread+FADV_RANDOM", "os.posix_fadvise with POSIX_FADV_RANDOM once the file is open, os.pread", call="pread", read_block=read_block.PreadRandom),
    Method(
        "mmap+copy",
        "with open(path, 'rb'), mmap.mmap with ACCESS_READ, every byte copied into a buffer of the right size; read-block: slices copied",
        call="mmap", takes_buffer=True, read_whole=read_whole.map_copy, read_block=read_block.CopiedMapping,
    ),
    Method(
        "mmap+MADV_RANDOM", "as mmap, with mapping.madvise(mmap.MADV_RANDOM) once the file is mapped", call="mmap", read_block=read_block.RandomMapping,
    ),
    Method("os.preadv", "os.preadv into one buffer", call="preadv", takes_buffer=True, unavailable=NO_PREADV, read_block=read_block.Preadv),

    Method("for-line-in-open+rb", "with open(path, 'rb'): for line in file, line.rstrip", lines=lines.for_line_in_open_rb),
    Method("for-line-in-open+r", "with open(path, 'r', encoding='latin-1', newline='\\n'): for line in file, line.rstrip", lines=lines.for_line_in_open_r),
    Method("readlines", "with open(path, 'rb'): for line in file.readlines(), line.rstrip", lines=lines.readlines),
    Method("mmap.readline", "with open(path, 'rb'), mmap.mmap: mapping.readline until it returns nothing, line.rstrip", call="mmap", lines=lines.map_readline),

    Method(
        "read+bytes.count", "with open(path, 'rb'): file.read of the block size, bytes.count; threads take turns, only reading is without the GIL",
        search=search.read_count,
    ),
    Method("mmap+find", "with open(path, 'rb'), mmap.mmap: mapping.find again and again; threads take turns at the GIL", call="mmap", search=search.map_find),
    Method(
        "for-line-in-open+rb+count", "with open(path, 'rb'): for line in file, bytes.count; threads take turns, only reading is without the GIL",
        search=search.for_line_count,
    ),

    Method("hashlib.file_digest", "with open(path, 'rb'): hashlib.file_digest(file, 'md5')", unavailable=NO_FILE_DIGEST or NO_MD5, hash=hashing.file_digest),
    Method("read+hashlib.md5", "with open(path, 'rb'): file.read of the block size, md5.update", unavailable=NO_MD5, hash=hashing.read_md5),
    Method("mmap+hashlib.md5", "with open(path, 'rb'), mmap.mmap: hashlib.md5 of the mapping", call="mmap", unavailable=NO_MD5, hash=hashing.map_md5),

    Method("open+xb", "with open(path, 'xb'), which refuses files that exist: file.write, file.flush and os.fsync where asked", call="write", create=create.OpenXb),
    Method("os.open+O_CREAT", "os.open with O_WRONLY, O_CREAT and O_TRUNC, os.write, os.fsync where asked, os.close", call="write", create=create.OsOpen),
    Method("pathlib.Path.write_bytes", "pathlib.Path(path).write_bytes; the Path is made each time", call="write", create=create.PathWriteBytes),

    Method("os.pwrite", "os.pwrite", call="pwrite", write_block=write_block.Pwrite),
    Method(
        "open+r+b+buffering=0+seek+write", "file.seek, file.write of a file opened with 'r+b', buffering=0", call="write",
        write_block=write_block.UnbufferedSeekAndWrite,
    ),
    Method(
        "open+wb+write", "file.write of a file opened with 'wb', in order only, file.flush at the end of the batch", call="write",
        write_block=write_block.BufferedWrite,
    ),

    Method("shutil.copyfile", "shutil.copyfile", call="copyfile", copy=copy_file.COPYFILE),
    Method("os.sendfile", "open(source, 'rb', buffering=0), open(target, 'wb', buffering=0), os.sendfile until it returns 0", call="sendfile", copy=copy_file.SENDFILE),
    Method(
        "os.copy_file_range", "open(source, 'rb', buffering=0), open(target, 'wb', buffering=0), os.copy_file_range until it returns 0",
        call="copy_file_range", unavailable=NO_COPY_FILE_RANGE, copy=copy_file.COPY_FILE_RANGE,
    ),
    Method("open+rb+read+wb+write", "open(source, 'rb'), open(target, 'wb'), file.read and file.write of 64 KiB", call="write", copy=copy_file.READ_WRITE),

    Method(
        "open+load", "with open(path, 'rb'): json.load(file), tomllib.load(file) or yaml.safe_load(file)", formats=("json", "toml", "yaml"),
        config_load=config_load.open_load,
    ),
    Method(
        "pathlib.Path.read_bytes+json.loads", "json.loads(pathlib.Path(path).read_bytes()); the Path is made each time",
        config_load=config_load.path_read_bytes_loads,
    ),
    Method("mmap+json.loads", "with open(path, 'rb'), mmap.mmap: json.loads of a copy of the mapping", call="mmap", config_load=config_load.map_loads),

    Method("os.stat", "os.stat: modification time, size and inode compared, the file read again where they differ", call="stat", reload=reload.os_stat),
    Method(
        "open+rb+read+compare", "with open(path, 'rb'): file.read of all, compared with what is held", reload=reload.read_compare,
    ),

    Method("os.truncate", "os.truncate of the path, which opens nothing", call="truncate", truncate=truncate.os_truncate),
    Method("os.open+os.ftruncate", "os.open with O_WRONLY, os.ftruncate, os.close", call="ftruncate", truncate=truncate.os_open_ftruncate),
    Method("open+r+b+truncate", "with open(path, 'r+b'): file.truncate", call="truncate", truncate=truncate.open_truncate),
    Method(
        "open+r+b+buffering=0+truncate", "with open(path, 'r+b', buffering=0): file.truncate", call="truncate",
        truncate=truncate.open_unbuffered_truncate,
    ),

    Method(
        "null", "everything but the I/O; for lines, search, hash and config-load also without the processing: the answer is known beforehand",
        **{operation: None for operation in OPERATIONS},
    ),
)


def find_method(name):
    return next((method for method in METHODS if method.name == name), None)
