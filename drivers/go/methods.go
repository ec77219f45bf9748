// The table of methods: the one list that `describe` prints and `run` looks in.
// How each method works stands in the file of its operation.

package main

import "fmt"

// method is one way to perform operations; it has a function for each
// operation it can perform.
type method struct {
	name          string
	does          string
	unavailable   string
	direct        bool
	isNull        bool
	openClose     func(path string) error
	openReadClose func(path string, buffers *buffers, out *sink) error
	readWhole     func(path string, buffers *buffers, out *sink) error
	readBlock     func(path string, size int64) (blockSource, error)
}

var methods = []method{
	{name: "os.Open", does: "os.Open, File.Close", openClose: osOpen},
	{name: "os.OpenFile+O_DIRECT", does: "os.OpenFile with os.O_RDONLY|syscall.O_DIRECT, File.Close", direct: true, openClose: osOpenFileDirect},
	{name: "os.OpenFile+O_CLOEXEC", does: "os.OpenFile with os.O_RDONLY|syscall.O_CLOEXEC, File.Close", openClose: osOpenFileCloexec},
	{name: "syscall.Open", does: "syscall.Open with O_RDONLY, syscall.Close", openClose: syscallOpen},
	unixOpen,
	{name: "os.NewFile", does: "syscall.Open with O_RDONLY, os.NewFile, File.Close", openClose: osNewFile},

	{name: "os.Open+Read", does: "os.Open, File.Read, File.Close", openReadClose: osOpenRead},
	{name: "os.Open+ReadAt", does: "os.Open, File.ReadAt, File.Close; for a whole file File.Stat and make before ReadAt", openReadClose: osOpenReadAt, readWhole: osOpenStatReadAt},
	{name: "syscall.Open+Read", does: "syscall.Open, syscall.Read, syscall.Close", openReadClose: syscallOpenRead},
	{name: "syscall.Open+Pread", does: "syscall.Open, syscall.Pread (for a whole file until it returns 0), syscall.Close", openReadClose: syscallOpenPread, readWhole: syscallOpenPreadAll},
	{name: "mmap", does: "syscall.Open, Mmap, Close, Munmap, a byte touched per page; Fstat for a whole file; read-block keeps the mapping", openReadClose: mmapOpenRead, readWhole: mmapWhole, readBlock: mapFile},
	{name: "os.OpenFile+O_DIRECT+ReadAt", does: "os.OpenFile with os.O_RDONLY|syscall.O_DIRECT, File.ReadAt into a page-aligned buffer, File.Close", direct: true, openReadClose: osOpenDirectReadAt},

	{name: "os.ReadFile", does: "os.ReadFile", readWhole: osReadFile},
	{name: "os.Open+io.ReadAll", does: "os.Open, io.ReadAll, File.Close", readWhole: osOpenReadAll},
	{name: "os.Open+bufio+io.ReadAll", does: "os.Open, io.ReadAll over bufio.NewReader, File.Close", readWhole: osOpenBufioReadAll},
	{name: "os.Open+bufio", does: "os.Open, bufio.Reader.Read in pieces of the block size until io.EOF, File.Close", readWhole: osOpenBufio},

	{name: "os.File.ReadAt", does: "File.ReadAt", readBlock: openForReadAt},
	{name: "syscall.Pread", does: "syscall.Pread", readBlock: openForPread},
	{name: "os.File.Seek+Read", does: "File.Seek, io.ReadFull", readBlock: openForSeek},

	{name: "null", does: "everything but the I/O", isNull: true},
}

func findMethod(name string) (method, error) {
	for _, m := range methods {
		if m.name == name {
			return m, nil
		}
	}
	return method{}, fmt.Errorf("unknown method %q", name)
}

func (m method) operations() []operation {
	var can []operation
	for _, o := range operations {
		if m.performs(o) {
			can = append(can, o)
		}
	}
	return can
}

func (m method) performs(o operation) bool {
	switch o {
	case openClose:
		return m.isNull || m.openClose != nil
	case openReadClose:
		return m.isNull || m.openReadClose != nil
	case readWhole:
		return m.isNull || m.readWhole != nil
	case readBlock:
		return m.isNull || m.readBlock != nil
	default:
		return m.isNull
	}
}
