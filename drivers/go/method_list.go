// The table of methods: the one list that `describe` prints and `run` looks in.

package main

import "os"

var takesAlgorithm = []string{"algorithm"}

var methods = []method{
	{name: "os.Open", does: "os.Open, File.Close; a missing file is told by errors.Is", openClose: osOpen, openMissing: osOpenMissing},
	{name: "os.OpenFile+O_DIRECT", does: "os.OpenFile with os.O_RDONLY|syscall.O_DIRECT, File.Close", direct: true, openClose: osOpenFileDirect},
	{name: "os.OpenFile+O_CLOEXEC", does: "os.OpenFile with os.O_RDONLY|syscall.O_CLOEXEC, File.Close", openClose: osOpenFileCloexec},
	{name: "syscall.Open", does: "syscall.Open with O_RDONLY, syscall.Close; create: O_WRONLY|O_CREAT|O_TRUNC, syscall.Write", openClose: syscallOpen, openMissing: syscallOpenMissing,
		create: func(p *plan) task { return newCreateTask(p, createSyscall) }},
	unixOpen,
	{name: "os.NewFile", does: "syscall.Open with O_RDONLY, os.NewFile, File.Close", openClose: osNewFile},

	{name: "os.OpenFile+O_WRONLY", does: "os.OpenFile with os.O_WRONLY, File.Close", openWriteClose: osOpenFileWrite},
	{name: "os.Create", does: "os.Create, which creates and truncates; create: File.Write; File.Close", openWriteClose: osCreate,
		create: func(p *plan) task { return newCreateTask(p, createOS) }},
	{name: "syscall.Open+O_WRONLY", does: "syscall.Open with O_WRONLY, syscall.Close", openWriteClose: syscallOpenWrite},

	{name: "os.Open+Read", does: "os.Open, File.Read, File.Close", openReadClose: osOpenRead, openReadCloseOnStack: osOpenReadOnStack},
	{name: "os.Open+ReadAt", does: "os.Open, File.ReadAt, File.Close; for a whole file File.Stat and make before ReadAt", openReadClose: osOpenReadAt, openReadCloseOnStack: osOpenReadAtOnStack, readWhole: osOpenStatReadAt},
	{name: "syscall.Open+Read", does: "syscall.Open, syscall.Read, syscall.Close", openReadClose: syscallOpenRead, openReadCloseOnStack: syscallOpenReadOnStack},
	{name: "syscall.Open+Pread", does: "syscall.Open, syscall.Pread (for a whole file until it returns 0), syscall.Close", openReadClose: syscallOpenPread, openReadCloseOnStack: syscallOpenPreadOnStack, readWhole: syscallOpenPreadAll},
	{name: "mmap", does: "syscall.Open, Mmap, Close, Munmap, a byte touched per page or the whole hashed; Fstat for a whole file; read-block keeps the mapping", takes: takesAlgorithm,
		openReadClose: mmapOpenRead, readWhole: mmapWhole, readBlock: mapFile, hash: hashMapped},
	{name: "os.OpenFile+O_DIRECT+ReadAt", does: "os.OpenFile with os.O_RDONLY|syscall.O_DIRECT, File.ReadAt into a page-aligned buffer, File.Close", direct: true, openReadClose: osOpenDirectReadAt},

	{name: "os.ReadFile", does: "os.ReadFile; reload reads again and compares by bytes.Equal", takes: takesAlgorithm, readWhole: osReadFile, hash: hashReadFile, reload: watchByReading},
	{name: "os.Open+io.ReadAll", does: "os.Open, io.ReadAll, File.Close", readWhole: osOpenReadAll},
	{name: "os.Open+bufio+io.ReadAll", does: "os.Open, io.ReadAll over bufio.NewReader, File.Close", readWhole: osOpenBufioReadAll},
	{name: "os.Open+bufio", does: "os.Open, bufio.Reader.Read in pieces of the block size until io.EOF, File.Close", readWhole: osOpenBufio},

	{name: "os.File.ReadAt", does: "File.ReadAt", readBlock: openForReadAt},
	{name: "syscall.Pread", does: "syscall.Pread", readBlock: openForPread},
	{name: "os.File.Seek+Read", does: "File.Seek, io.ReadFull", readBlock: openForSeek},
	{name: "syscall.Pread+FADV_RANDOM", does: "syscall.Pread of a file advised once by fadvise64", readBlock: openForPreadRandom},
	{name: "mmap+copy", does: "syscall.Open, Fstat, Mmap, copy of every byte into a buffer, Munmap, Close; read-block: copy of the block", readWhole: mmapCopyWhole, readBlock: mapFileToCopy},
	{name: "mmap+MADV_RANDOM", does: "a kept syscall.Mmap advised once by syscall.Madvise, a byte touched per page", readBlock: mapFileRandom},
	{name: "mmap+MADV_SEQUENTIAL", does: "a kept syscall.Mmap advised once by syscall.Madvise, a byte touched per page", readBlock: mapFileSequential},

	{name: "os.Open+Scanner", does: "os.Open, bufio.Scanner without a longest line and with a split function that keeps carriage returns, Scanner.Bytes", lines: linesScanner},
	{name: "os.Open+ReadSlice", does: "os.Open, bufio.Reader.ReadSlice, longer lines gathered", lines: linesReadSlice},
	{name: "os.Open+ReadBytes", does: "os.Open, bufio.Reader.ReadBytes", lines: linesReadBytes},
	{name: "os.ReadFile+bytes.IndexByte", does: "os.ReadFile, bytes.IndexByte", lines: linesReadFile},
	bytesLines,
	{name: "os.OpenFile+Scanner.Text", does: "as published: os.OpenFile, bufio.Scanner as it comes, Scanner.Text", flaw: flawScannerText, lines: linesScannerText},
	{name: "pread-4KiB+Scanner", does: "as published, without what it does with lines: syscall.Pread of 4 KiB, a new bufio.Scanner for each piece, Scanner.Text", flaw: flawPieces, lines: linesPieces},
	{name: "pread-4KiB+Scanner+gather", does: "as published: pread-4KiB+Scanner, each line appended to a bytes.Buffer, which an empty line hands on and resets", flaw: flawGathered, lines: linesPiecesGathered},

	{name: "pread+regexp", does: "syscall.Open, Fstat, each goroutine Pread of its part and of what begins in it into a new buffer, Regexp.FindAllIndex", search: searchPread(countPattern)},
	{name: "pread+string+regexp", does: "syscall.Open, Fstat, each goroutine Pread of its part and of what begins in it into a new buffer, a string of it, Regexp.FindAllString", search: searchPread(countCopy)},
	{name: "pread+bytes.Count", does: "syscall.Open, Fstat, each goroutine Pread of its part and of what begins in it into a new buffer, bytes.Count", search: searchPread(countBytes)},
	{name: "open+Seek+bufio+regexp", does: "os.Stat, each goroutine os.Open, File.Seek, bufio.Scanner over the lines that begin in its part, Regexp.FindAllIndex", byLine: true, search: searchLines(countPattern)},
	{name: "open+Seek+bufio+bytes.Count", does: "os.Stat, each goroutine os.Open, File.Seek, bufio.Scanner over the lines that begin in its part, bytes.Count", byLine: true, search: searchLines(countBytes)},
	{name: "mmap+regexp", does: "syscall.Open, Fstat, Mmap, Munmap, each goroutine Regexp.FindAllIndex in its part", search: searchMapped(countPattern)},
	{name: "mmap+bytes.Count", does: "syscall.Open, Fstat, Mmap, Munmap, each goroutine bytes.Count in its part", search: searchMapped(countBytes)},
	{name: "pread-quarters", does: "as published: os.Stat, each goroutine syscall.Open, one Pread of its part into a new buffer, a string of it, Regexp.FindAllString", flaw: flawQuarters, search: searchQuarters},
	{name: "open+Seek+Scanner", does: "as published: os.Stat, each goroutine os.OpenFile, File.Seek, bufio.Scanner of 64 KiB, Regexp.MatchString of Scanner.Text, File.Seek to ask for the position after each line", flaw: flawSeek, search: searchSeek},

	{name: "pread-4KiB", does: "as published: syscall.Open, syscall.Pread of 4 KiB until it returns 0, syscall.Close", takes: takesAlgorithm, hash: hashPieces},
	{name: "io.Copy", does: "os.Open, io.Copy into the hash, File.Close; copy: os.Open, os.Create, io.Copy, which becomes copy_file_range", takes: takesAlgorithm, hash: hashCopy, copy: copyFiles},

	{name: "os.OpenFile", does: "os.OpenFile with os.O_WRONLY|os.O_CREATE|os.O_TRUNC, File.Write, File.Close", create: func(p *plan) task { return newCreateTask(p, createOpenFile) }},

	{name: "os.File.WriteAt", does: "File.WriteAt", writeBlock: writerAt},
	{name: "os.File.Write", does: "File.Write; File.Seek where the order begins again", sequential: true, writeBlock: writerSequential},
	{name: "bufio.Writer", does: "bufio.Writer.Write, Flush at the end; File.Seek where the order begins again", sequential: true, writeBlock: writerBuffered},
	{name: "syscall.Pwrite", does: "syscall.Pwrite", writeBlock: writerPwrite},

	{name: "io.CopyBuffer", does: "os.Open, os.Create, io.CopyBuffer of 64 KiB between a plain Reader and a plain Writer", copy: copyBuffered},
	{name: "os.ReadFile+os.WriteFile", does: "os.ReadFile, os.WriteFile; to fsync os.OpenFile, File.Sync, File.Close after it", copy: copyWhole},

	{name: "os.ReadFile+Unmarshal", does: "os.ReadFile, Unmarshal of encoding/json, gopkg.in/yaml.v3 or github.com/BurntSushi/toml", configLoad: configReadFile},
	{name: "os.Open+Decoder", does: "os.Open, NewDecoder, Decode of encoding/json, gopkg.in/yaml.v3 or github.com/BurntSushi/toml, File.Close", configLoad: configDecoder},
	{name: "mmap+Unmarshal", does: "syscall.Open, Fstat, Mmap, Close, Unmarshal, Munmap", configLoad: configMapped},

	{name: "embed+Execute", does: "a go:embed template parsed when the program starts, Template.Execute into a new bytes.Buffer", template: executeEmbedded},
	{name: "embed+Parse+Execute", does: "go:embed, Template.Parse, Template.Execute into a new bytes.Buffer", template: parseEmbedded},
	{name: "os.ReadFile+Parse+Execute", does: "os.ReadFile, Template.Parse, Template.Execute into a new bytes.Buffer", template: parseFile},

	{name: "os.Stat", does: "os.Stat; os.ReadFile where modification time, size or inode changed", reload: watchByStat},
	{name: "inotify", does: "syscall.Read of a non-blocking inotify descriptor; os.ReadFile where it tells of a change", reload: watchByInotify},

	truncateMethod("os.Truncate", "os.Truncate, which opens nothing", os.Truncate),
	truncateMethod("os.OpenFile+Truncate", "os.OpenFile with os.O_WRONLY, File.Truncate, File.Close", osOpenFileTruncate),
	truncateMethod("syscall.Truncate", "syscall.Truncate, which opens nothing", syscallTruncate),
	truncateMethod("syscall.Open+Ftruncate", "syscall.Open with O_WRONLY, syscall.Ftruncate, syscall.Close", syscallOpenFtruncate),

	{name: "null", does: "everything but the I/O; what must be computed is computed beforehand", isNull: true, takes: takesAlgorithm},
}
