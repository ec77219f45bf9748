"""The table of methods: the one list that `describe` prints and `run` looks in. What each does in
words stands in driver.toml; how it does it, in the file of its operation.
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
from null import NullTask
from task import BlockTask, ConfigTask, CreatingTask, ReloadTask, Task
from write_task import CopyTask, CreateTask, TruncateTask, WriteBlockTask

OPERATIONS = (
    "null", "open-close", "open-missing", "open-write-close", "open-read-close", "read-whole", "read-block",
    "lines", "search", "hash", "create", "write-block", "copy", "config-load", "reload", "truncate",
)
# The tasks of operations that make files, and of those that hold something.
WRITERS = {"create": CreateTask, "write-block": WriteBlockTask, "copy": CopyTask, "truncate": TruncateTask}
TASKS = {"read-block": BlockTask, "config-load": ConfigTask, "reload": ReloadTask, **WRITERS}


class Method:
    """One way to perform operations, with a function for each that it can perform."""

    def __init__(self, name, does=None, call="read", takes_buffer=False, creates=False, formats=("json",), unavailable=None, **functions):
        self.name, self.does, self.unavailable = name, does, unavailable
        # What it calls after opening, for errors.
        self.call = call
        self.takes_buffer = takes_buffer
        self.creates = creates
        # What it parses where it loads configurations.
        self.formats = formats
        self.functions = {operation.replace("_", "-"): function for operation, function in functions.items()}

    def described(self):
        operations = [operation for operation in OPERATIONS if operation in self.functions]
        known = {"name": self.name, "operations": operations, "does": self.does, "unavailable": self.unavailable}
        return {key: value for key, value in known.items() if value is not None}

    def task(self, plan, job):
        """The method bound to the files of a run."""
        operation = plan.operation
        kind = NullTask if self.name == "null" else TASKS.get(operation, Task)
        if self.creates and operation == "open-write-close":
            kind = CreatingTask
        return kind(plan, self.functions[operation], job)


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
    Method("open+rb", open_close=open_close.open_rb, open_missing=open_missing.open_rb),
    Method("open+r", open_close=open_close.open_r, open_missing=open_missing.open_r),
    Method("open+rb+buffering=0", open_close=open_close.open_rb_unbuffered, open_missing=open_missing.open_rb_unbuffered),
    Method("pathlib.Path.open", open_close=open_close.path_open, open_missing=open_missing.path_open),
    Method("os.open", open_close=open_close.os_open, open_missing=open_missing.os_open),
    Method("io.FileIO", open_close=open_close.file_io, open_missing=open_missing.file_io),
    Method("open+r+b", open_write_close=open_write_close.open_r_plus_b),
    Method("open+wb", call="write", creates=True, open_write_close=open_write_close.open_wb, create=create.OpenWb),
    Method("open+ab", creates=True, open_write_close=open_write_close.open_ab),
    Method("os.open+O_WRONLY", open_write_close=open_write_close.os_open_wronly),
    Method("open+rb+read", open_read_close=open_read_close.open_rb_read, read_whole=read_whole.open_rb_read),
    Method("open+rb+buffering=0+read", open_read_close=open_read_close.open_rb_unbuffered_read),
    Method("open+rb+readinto", takes_buffer=True, open_read_close=open_read_close.open_rb_readinto, read_whole=read_whole.open_rb_readinto),
    Method("os.open+os.read", open_read_close=open_read_close.os_open_read, read_whole=read_whole.os_open_read),
    Method("os.open+os.pread", call="pread", open_read_close=open_read_close.os_open_pread),
    Method("mmap", call="mmap", open_read_close=open_read_close.map_start, read_whole=read_whole.map_whole, read_block=read_block.Mapping, write_block=write_block.Mapping),
    Method("open+r+read", read_whole=read_whole.open_r_read),
    Method("pathlib.Path.read_bytes", read_whole=read_whole.path_read_bytes),
    Method("open+rb+buffering=0+readall", read_whole=read_whole.open_rb_unbuffered_readall),
    Method("open+rb+seek+read", read_block=read_block.SeekAndRead),
    Method("open+rb+buffering=0+seek+read", read_block=read_block.UnbufferedSeekAndRead),
    Method("os.pread", call="pread", read_block=read_block.Pread),
    Method("os.pread+FADV_RANDOM", call="pread", read_block=read_block.PreadRandom),
    Method("mmap+copy", call="mmap", takes_buffer=True, read_whole=read_whole.map_copy, read_block=read_block.CopiedMapping),
    Method("mmap+MADV_RANDOM", call="mmap", read_block=read_block.RandomMapping),
    Method("os.preadv", call="preadv", takes_buffer=True, unavailable=NO_PREADV, read_block=read_block.Preadv),
    Method("for-line-in-open+rb", lines=lines.for_line_in_open_rb),
    Method("for-line-in-open+r", lines=lines.for_line_in_open_r),
    Method("readlines", lines=lines.readlines),
    Method("mmap.readline", call="mmap", lines=lines.map_readline),
    Method("read+bytes.count", search=search.read_count),
    Method("mmap+find", call="mmap", search=search.map_find),
    Method("for-line-in-open+rb+count", search=search.for_line_count),
    Method("hashlib.file_digest", unavailable=NO_FILE_DIGEST or NO_MD5, hash=hashing.file_digest),
    Method("read+hashlib.md5", unavailable=NO_MD5, hash=hashing.read_md5),
    Method("mmap+hashlib.md5", call="mmap", unavailable=NO_MD5, hash=hashing.map_md5),
    Method("open+xb", call="write", create=create.OpenXb),
    Method("os.open+O_CREAT", call="write", create=create.OsOpen),
    Method("pathlib.Path.write_bytes", call="write", create=create.PathWriteBytes),
    Method("os.pwrite", call="pwrite", write_block=write_block.Pwrite),
    Method("open+r+b+buffering=0+seek+write", call="write", write_block=write_block.UnbufferedSeekAndWrite),
    Method("open+wb+write", call="write", write_block=write_block.BufferedWrite),
    Method("shutil.copyfile", call="copyfile", copy=copy_file.COPYFILE),
    Method("os.sendfile", call="sendfile", copy=copy_file.SENDFILE),
    Method("os.copy_file_range", call="copy_file_range", unavailable=NO_COPY_FILE_RANGE, copy=copy_file.COPY_FILE_RANGE),
    Method("open+rb+read+wb+write", call="write", copy=copy_file.READ_WRITE),
    Method("open+load", formats=("json", "toml", "yaml"), config_load=config_load.open_load),
    Method("pathlib.Path.read_bytes+json.loads", config_load=config_load.path_read_bytes_loads),
    Method("mmap+json.loads", call="mmap", config_load=config_load.map_loads),
    Method("os.stat", call="stat", reload=reload.os_stat),
    Method("open+rb+read+compare", reload=reload.read_compare),
    Method("os.truncate", call="truncate", truncate=truncate.os_truncate),
    Method("os.open+os.ftruncate", call="ftruncate", truncate=truncate.os_open_ftruncate),
    Method("open+r+b+truncate", call="truncate", truncate=truncate.open_truncate),
    Method("open+r+b+buffering=0+truncate", call="truncate", truncate=truncate.open_unbuffered_truncate),
    Method("null", **{operation: None for operation in OPERATIONS}),
)


def find_method(name):
    return next((method for method in METHODS if method.name == name), None)
