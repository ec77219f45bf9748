// The operations, and the table of methods: the one list that `describe` prints and
// `run` looks in. What a method does in words stands in driver.toml, how it does it
// in the file of its operation.

package main

import "os"

// operation is one logical file action; what the words mean stands in PROTOCOL.md.
type operation string

const (
	nothing        operation = "null"
	openClose      operation = "open-close"
	openMissing    operation = "open-missing"
	openWriteClose operation = "open-write-close"
	openReadClose  operation = "open-read-close"
	readWhole      operation = "read-whole"
	readBlock      operation = "read-block"
	lines          operation = "lines"
	search         operation = "search"
	hashFile       operation = "hash"
	create         operation = "create"
	writeBlock     operation = "write-block"
	copyFile       operation = "copy"
	configLoad     operation = "config-load"
	renderTemplate operation = "template"
	reload         operation = "reload"
	truncate       operation = "truncate"
)

var operations = []operation{
	nothing, openClose, openMissing, openWriteClose, openReadClose, readWhole, readBlock, lines, search, hashFile,
	create, writeBlock, copyFile, configLoad, renderTemplate, reload, truncate,
}

// writes is true of operations that make files of their own.
func (o operation) writes() bool { return o == copyFile || !o.takesFiles() && o != nothing }

// takesFiles is true of operations on files that are there before.
func (o operation) takesFiles() bool {
	return o != nothing && o != create && o != writeBlock && o != truncate
}

// hasOffsets is true of operations that go to a place in their file.
func (o operation) hasOffsets() bool { return o == readBlock || o == writeBlock }

// way makes the task by which a method performs an operation; its error says why
// the method cannot do what the plan asks.
type way func(p *plan) (task, error)

type ways map[operation]way

// method is one way to perform operations.
type method struct {
	Name       string      `json:"name"`
	Operations []operation `json:"operations"`
	// Does is what it does in words, where driver.toml does not say it.
	Does        string `json:"does,omitempty"`
	Unavailable string `json:"unavailable,omitempty"`
	// Takes are settings that not every method of its operations obeys.
	Takes []string `json:"takes,omitempty"`
	// Flaw says why a published program that the method shows answers wrongly.
	Flaw string `json:"flaw,omitempty"`
	// direct is of O_DIRECT, which a file system may refuse.
	direct bool
	ways   ways
}

func findMethod(name string) (found method, known bool) {
	for _, m := range methods {
		if m.Name == name {
			return m, true
		}
	}
	return method{}, false
}

func (m method) operations() []operation {
	var can []operation
	for _, o := range operations {
		if m.ways[o] != nil {
			can = append(can, o)
		}
	}
	return can
}

var takesAlgorithm = []string{"algorithm"}

var methods = []method{
	{Name: "os.Open", ways: ways{openClose: opens(osOpen), openMissing: opens(osOpenMissing)}},
	{Name: "os.OpenFile+O_DIRECT", direct: true, ways: ways{openClose: opens(osOpenFileDirect)}},
	{Name: "os.OpenFile+O_CLOEXEC", ways: ways{openClose: opens(osOpenFileCloexec)}},
	{Name: "syscall.Open", ways: ways{openClose: opens(syscallOpen), openMissing: opens(syscallOpenMissing), create: creates(createSyscall)}},
	unixOpen,
	{Name: "os.NewFile", ways: ways{openClose: opens(osNewFile)}},
	{Name: "os.OpenFile+O_WRONLY", ways: ways{openWriteClose: opens(osOpenFileWrite)}},
	{Name: "os.Create", ways: ways{openWriteClose: opens(osCreate), create: creates(createOS)}},
	{Name: "syscall.Open+O_WRONLY", ways: ways{openWriteClose: opens(syscallOpenWrite)}},
	{Name: "os.Open+Read", ways: ways{openReadClose: readsStart(osOpenRead, osOpenReadOnStack)}},
	{Name: "os.Open+ReadAt", ways: ways{openReadClose: readsStart(osOpenReadAt, osOpenReadAtOnStack), readWhole: reads(osOpenStatReadAt)}},
	{Name: "syscall.Open+Read", ways: ways{openReadClose: readsStart(syscallOpenRead, syscallOpenReadOnStack)}},
	{Name: "syscall.Open+Pread", ways: ways{openReadClose: readsStart(syscallOpenPread, syscallOpenPreadOnStack), readWhole: reads(syscallOpenPreadAll)}},
	{Name: "mmap", Takes: takesAlgorithm, ways: ways{openReadClose: readsStart(mmapOpenRead, nil), readWhole: reads(mmapWhole), readBlock: readsBlocks(mapFile), hashFile: hashes(hashMapped)}},
	{Name: "os.OpenFile+O_DIRECT+ReadAt", direct: true, ways: ways{openReadClose: readsStartDirect(osOpenDirectReadAt)}},
	{Name: "os.ReadFile", Takes: takesAlgorithm, ways: ways{readWhole: reads(osReadFile), hashFile: hashes(hashReadFile), reload: reloads(watchByReading)}},
	{Name: "os.Open+io.ReadAll", ways: ways{readWhole: reads(osOpenReadAll)}},
	{Name: "os.Open+bufio+io.ReadAll", ways: ways{readWhole: reads(osOpenBufioReadAll)}},
	{Name: "os.Open+bufio", ways: ways{readWhole: reads(osOpenBufio)}},
	{Name: "os.File.ReadAt", ways: ways{readBlock: readsBlocks(openForReadAt)}},
	{Name: "syscall.Pread", ways: ways{readBlock: readsBlocks(openForPread)}},
	{Name: "os.File.Seek+Read", ways: ways{readBlock: readsBlocks(openForSeek)}},
	{Name: "syscall.Pread+FADV_RANDOM", ways: ways{readBlock: readsBlocks(openForPreadRandom)}},
	{Name: "mmap+copy", ways: ways{readWhole: reads(mmapCopyWhole), readBlock: readsBlocks(mapFileToCopy)}},
	{Name: "mmap+MADV_RANDOM", ways: ways{readBlock: readsBlocks(mapFileRandom)}},
	{Name: "mmap+MADV_SEQUENTIAL", ways: ways{readBlock: readsBlocks(mapFileSequential)}},
	{Name: "os.Open+Scanner", ways: ways{lines: eachPath(linesScanner)}},
	{Name: "os.Open+ReadSlice", ways: ways{lines: eachPath(linesReadSlice)}},
	{Name: "os.Open+ReadBytes", ways: ways{lines: eachPath(linesReadBytes)}},
	{Name: "os.ReadFile+bytes.IndexByte", ways: ways{lines: eachPath(linesReadFile)}},
	bytesLines,
	{Name: "os.OpenFile+Scanner.Text", Flaw: flawScannerText, ways: ways{lines: eachPath(linesScannerText)}},
	{Name: "pread-4KiB+Scanner", Flaw: flawPieces, ways: ways{lines: eachPath(linesPieces)}},
	{Name: "pread-4KiB+Scanner+gather", Flaw: flawGathered, ways: ways{lines: eachPath(linesPiecesGathered)}},
	{Name: "pread+regexp", ways: ways{search: searches(searchPread(countPattern))}},
	{Name: "pread+string+regexp", ways: ways{search: searches(searchPread(countCopy))}},
	{Name: "pread+bytes.Count", ways: ways{search: searches(searchPread(countBytes))}},
	{Name: "open+Seek+bufio+regexp", ways: ways{search: searches(searchLines(countPattern))}},
	{Name: "open+Seek+bufio+bytes.Count", ways: ways{search: searches(searchLines(countBytes))}},
	{Name: "mmap+regexp", ways: ways{search: searches(searchMapped(countPattern))}},
	{Name: "mmap+bytes.Count", ways: ways{search: searches(searchMapped(countBytes))}},
	{Name: "pread-quarters", Flaw: flawQuarters, ways: ways{search: searches(searchQuarters)}},
	{Name: "open+Seek+Scanner", Flaw: flawSeek, ways: ways{search: searches(searchSeek)}},
	{Name: "pread-4KiB", Takes: takesAlgorithm, ways: ways{hashFile: hashes(hashPieces)}},
	{Name: "io.Copy", Takes: takesAlgorithm, ways: ways{hashFile: hashes(hashCopy), copyFile: copies(copyFiles)}},
	{Name: "os.OpenFile", ways: ways{create: creates(createOpenFile)}},
	{Name: "os.File.WriteAt", ways: ways{writeBlock: writes(writerAt)}},
	{Name: "os.File.Write", ways: ways{writeBlock: writesInOrder(writerSequential)}},
	{Name: "bufio.Writer", ways: ways{writeBlock: writesInOrder(writerBuffered)}},
	{Name: "syscall.Pwrite", ways: ways{writeBlock: writes(writerPwrite)}},
	{Name: "io.CopyBuffer", ways: ways{copyFile: copies(copyBuffered)}},
	{Name: "os.ReadFile+os.WriteFile", ways: ways{copyFile: copies(copyWhole)}},
	{Name: "os.ReadFile+Unmarshal", ways: ways{configLoad: loads(configReadFile)}},
	{Name: "os.Open+Decoder", ways: ways{configLoad: loads(configDecoder)}},
	{Name: "mmap+Unmarshal", ways: ways{configLoad: loads(configMapped)}},
	{Name: "embed+Execute", ways: ways{renderTemplate: renders(executeEmbedded)}},
	{Name: "embed+Parse+Execute", ways: ways{renderTemplate: renders(parseEmbedded)}},
	{Name: "os.ReadFile+Parse+Execute", ways: ways{renderTemplate: renders(parseFile)}},
	{Name: "os.Stat", ways: ways{reload: reloads(watchByStat)}},
	{Name: "inotify", ways: ways{reload: reloads(watchByInotify)}},
	{Name: "os.Truncate", ways: ways{truncate: truncates(os.Truncate)}},
	{Name: "os.OpenFile+Truncate", ways: ways{truncate: truncates(osOpenFileTruncate)}},
	{Name: "syscall.Truncate", ways: ways{truncate: truncates(syscallTruncate)}},
	{Name: "syscall.Open+Ftruncate", ways: ways{truncate: truncates(syscallOpenFtruncate)}},
	{Name: "null", Takes: takesAlgorithm, ways: nullWays},
}
