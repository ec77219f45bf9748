// The table of methods: the one list that `describe` prints and `run` looks in.
// How each method works stands in the file of its operation.

import java.util.List;

final class Methods {
    private static final String COLLECTED = "; the collector unmaps";
    private static final String ELIDED = " whose fstat a library answers: with preload elide-fstat only";

    static final List<Method> ALL = List.of(
            new Method("FileInputStream", "new FileInputStream, close")
                    .with(Operation.OPEN_CLOSE, OpenClose::fileInputStream)
                    .with(Operation.OPEN_MISSING, OpenMissing::fileInputStream),
            new Method("RandomAccessFile+r", "new RandomAccessFile with \"r\", close")
                    .with(Operation.OPEN_CLOSE, OpenClose::randomAccessFile)
                    .with(Operation.OPEN_MISSING, OpenMissing::randomAccessFile),
            new Method("Files.newInputStream", "Files.newInputStream, close")
                    .with(Operation.OPEN_CLOSE, OpenClose::newInputStream)
                    .with(Operation.OPEN_MISSING, OpenMissing::newInputStream),
            new Method("FileChannel.open", "FileChannel.open, close")
                    .with(Operation.OPEN_CLOSE, OpenClose::fileChannel)
                    .with(Operation.OPEN_MISSING, OpenMissing::fileChannel),
            new Method("Files.newByteChannel", "Files.newByteChannel, close")
                    .with(Operation.OPEN_CLOSE, OpenClose::newByteChannel),

            new Method("FileOutputStream", "new FileOutputStream, close; creates and truncates by itself; create: write")
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.FILE_OUTPUT_STREAM)
                    .making(Operation.CREATE, CreateTask.by(Create.fileOutputStream())),
            new Method("FileOutputStream+append", "new FileOutputStream with append, close; creates by itself")
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose::fileOutputStreamAppend),
            new Method("RandomAccessFile+rw", "new RandomAccessFile with \"rw\", close; creates by itself")
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.RANDOM_ACCESS_FILE),
            new Method("Files.newOutputStream", "Files.newOutputStream, close; creates and truncates by itself; create: write")
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose::newOutputStream)
                    .making(Operation.CREATE, CreateTask.by(Create.newOutputStream())),
            new Method("FileChannel.open+WRITE", "FileChannel.open with WRITE, close")
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose::fileChannel),
            new Method("FileOutputStream-fstat", "FileOutputStream" + ELIDED)
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.FILE_OUTPUT_STREAM)
                    .eliding(),
            new Method("RandomAccessFile+rw-fstat", "RandomAccessFile+rw" + ELIDED)
                    .with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.RANDOM_ACCESS_FILE)
                    .eliding(),

            new Method("FileInputStream+read", "new FileInputStream, readNBytes into an array, close")
                    .with(Operation.OPEN_READ_CLOSE, OpenReadClose::fileInputStream),
            new Method("RandomAccessFile+read", "new RandomAccessFile, readFully into an array, close")
                    .with(Operation.OPEN_READ_CLOSE, OpenReadClose::randomAccessFile),
            new Method("FileChannel+read", "FileChannel.open, read into a direct ByteBuffer (a whole file in pieces), close")
                    .with(Operation.OPEN_READ_CLOSE, OpenReadClose::fileChannel)
                    .with(Operation.READ_WHOLE, ReadWhole::fileChannel),
            new Method("FileChannel+read+heap", "FileChannel.open, read into a ByteBuffer over an array, close")
                    .with(Operation.OPEN_READ_CLOSE, OpenReadClose::fileChannelHeap),
            new Method("Files.newInputStream+read", "Files.newInputStream, readNBytes into an array, close")
                    .with(Operation.OPEN_READ_CLOSE, OpenReadClose::newInputStream),
            new Method("FileChannel.map", "FileChannel.open, map, close, a byte touched per page" + COLLECTED
                    + "; read-block keeps the mapping")
                    .with(Operation.OPEN_READ_CLOSE, OpenReadClose::map)
                    .with(Operation.READ_WHOLE, ReadWhole::map)
                    .with(ReadBlock::map)
                    .mapping(),

            new Method("FileChannel.map+get", "FileChannel.open, map, get of every byte into an array, close" + COLLECTED
                    + "; read-block: get of the block")
                    .with(Operation.READ_WHOLE, ReadWhole::mapCopy)
                    .with(ReadBlock::mapCopy)
                    .mapping(),

            new Method("Files.readAllBytes", "Files.readAllBytes; reload: Arrays.equals with what is held")
                    .with(Operation.READ_WHOLE, ReadWhole::readAllBytes)
                    .making(Operation.RELOAD, ReloadTask.by(Reload::readAllBytes)),
            new Method("Files.readString+ISO_8859_1", "Files.readString, bytes taken for characters")
                    .with(Operation.READ_WHOLE, ReadWhole::readString),
            new Method("FileInputStream.readAllBytes", "new FileInputStream, readAllBytes, close")
                    .with(Operation.READ_WHOLE, ReadWhole::fileInputStream),
            new Method("BufferedInputStream+readAllBytes",
                    "new BufferedInputStream over a FileInputStream, readAllBytes, close")
                    .with(Operation.READ_WHOLE, ReadWhole::bufferedInputStream),
            new Method("Files.newInputStream+readAllBytes", "Files.newInputStream, readAllBytes, close")
                    .with(Operation.READ_WHOLE, ReadWhole::newInputStream),
            new Method("RandomAccessFile.readFully", "new RandomAccessFile, length, readFully into a new array, close")
                    .with(Operation.READ_WHOLE, ReadWhole::randomAccessFile),

            new Method("RandomAccessFile.seek+read", "RandomAccessFile.seek, readFully into an array")
                    .with(ReadBlock::randomAccessFile),
            new Method("FileChannel.read+position", "FileChannel.read at a position into a direct ByteBuffer")
                    .with(ReadBlock::fileChannel),
            new Method("FileChannel+DIRECT",
                    "FileChannel.open with ExtendedOpenOption.DIRECT, read into an aligned direct ByteBuffer, close; "
                    + "read-block: read at a position")
                    .making(Operation.READ_WHOLE, DirectIo::wholeTask)
                    .making(Operation.READ_BLOCK, DirectIo::blockTask),

            new Method("Files.lines", "Files.lines in ISO_8859_1, forEach, close; lines end at \\r too")
                    .with(Operation.LINES, Lines::filesLines),
            new Method("BufferedReader.readLine",
                    "new BufferedReader over a FileReader in ISO_8859_1, readLine, close; lines end at \\r too")
                    .with(Operation.LINES, Lines::bufferedReader),
            new Method("Files.readAllLines", "Files.readAllLines in ISO_8859_1, a loop over the list; lines end at \\r too")
                    .with(Operation.LINES, Lines::readAllLines),
            new Method("Scanner.nextLine",
                    "new Scanner in ISO_8859_1, hasNextLine, nextLine, close; lines end at \\r and \\u0085 too")
                    .with(Operation.LINES, Lines::scanner),

            new Method("BufferedReader+indexOf",
                    "BufferedReader.readLine, String.indexOf; each thread reads a part of the file through its own stream")
                    .with(Operation.SEARCH, Search::bufferedReader),
            new Method("FileChannel+read+search",
                    "FileChannel.read at positions into a direct ByteBuffer, a byte loop; threads share the channel")
                    .with(Operation.SEARCH, Search::fileChannel),
            new Method("FileChannel.map+search",
                    "FileChannel.map, a byte loop; each thread maps a part of the file" + COLLECTED)
                    .with(Operation.SEARCH, Search::map)
                    .mapping(),

            new Method("FileInputStream+MessageDigest", "new FileInputStream, read into an array, MessageDigest.update, close")
                    .with(Operation.HASH, Hash::fileInputStream)
                    .taking("algorithm"),
            new Method("FileChannel.map+MessageDigest", "FileChannel.map, MessageDigest.update" + COLLECTED)
                    .with(Operation.HASH, Hash::map)
                    .taking("algorithm")
                    .mapping(),

            new Method("FileChannel.open+CREATE", "FileChannel.open with CREATE, WRITE, TRUNCATE_EXISTING, write, close")
                    .making(Operation.CREATE, CreateTask.by(Create.fileChannel())),
            new Method("Files.write", "Files.write")
                    .making(Operation.CREATE, CreateTask::atOnce),

            new Method("RandomAccessFile.seek+write", "RandomAccessFile.seek, write")
                    .making(Operation.WRITE_BLOCK, WriteTask.by(WriteBlock::randomAccessFile)),
            new Method("FileChannel.write+position", "FileChannel.write at a position, from a direct ByteBuffer")
                    .making(Operation.WRITE_BLOCK, WriteTask.by(WriteBlock::fileChannel)),
            new Method("FileOutputStream.write",
                    "FileOutputStream.write; sequential only; FileChannel.position where the file starts again")
                    .making(Operation.WRITE_BLOCK, WriteTask.sequentially(WriteBlock::fileOutputStream)),
            new Method("BufferedOutputStream.write",
                    "BufferedOutputStream.write; sequential only; flush at the end and where the file starts again")
                    .making(Operation.WRITE_BLOCK, WriteTask.sequentially(WriteBlock::bufferedOutputStream)),
            new Method("MappedByteBuffer.put", "MappedByteBuffer.put, the whole file mapped beforehand; fsync: force")
                    .making(Operation.WRITE_BLOCK, WriteTask.by(WriteBlock::map)),

            new Method("Files.copy", "Files.copy")
                    .making(Operation.COPY, CopyTask.unsynced(Copy::files)),
            new Method("FileChannel.transferTo", "FileChannel.open twice, transferTo, close")
                    .making(Operation.COPY, CopyTask.by(Copy::fileChannel)),
            new Method("InputStream.transferTo", "new FileInputStream, transferTo a new FileOutputStream, close")
                    .making(Operation.COPY, CopyTask.by(Copy::inputStream)),

            new Method("embedded", "a text block, String.replace")
                    .with(Operation.TEMPLATE, Template::embedded),
            new Method("Files.readString", "Files.readString, String.replace")
                    .with(Operation.TEMPLATE, Template::readString),

            new Method("Files.readAttributes", "Files.readAttributes: the time of the last change and the size")
                    .making(Operation.RELOAD, ReloadTask.by(Reload::readAttributes)),
            new Method("WatchService", "WatchService.poll; a thread of the runtime hears of changes")
                    .making(Operation.RELOAD, ReloadTask.by(Reload::watchService)),

            Method.nothing("everything but the I/O; lines, search and hash add an answer computed beforehand")
                    .taking("algorithm"));

    private Methods() {}

    static Method find(String name) throws UsageException {
        for (Method method : ALL) {
            if (method.name().equals(name)) {
                return method;
            }
        }
        throw new UsageException("unknown method \"" + name + "\"");
    }
}
