// The table of methods: the one list that `describe` prints and `run` looks in. What each
// does in words stands in driver.toml, how it works in the file of its operation.

import java.util.List;

final class Methods {
    static final List<Method> ALL = List.of(
            new Method("FileInputStream").with(Operation.OPEN_CLOSE, OpenClose::fileInputStream)
                    .with(Operation.OPEN_MISSING, OpenMissing::fileInputStream),
            new Method("RandomAccessFile+r").with(Operation.OPEN_CLOSE, OpenClose::randomAccessFile)
                    .with(Operation.OPEN_MISSING, OpenMissing::randomAccessFile),
            new Method("Files.newInputStream").with(Operation.OPEN_CLOSE, OpenClose::newInputStream)
                    .with(Operation.OPEN_MISSING, OpenMissing::newInputStream),
            new Method("FileChannel.open").with(Operation.OPEN_CLOSE, OpenClose::fileChannel)
                    .with(Operation.OPEN_MISSING, OpenMissing::fileChannel),
            new Method("Files.newByteChannel").with(Operation.OPEN_CLOSE, OpenClose::newByteChannel),
            new Method("FileOutputStream").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.FILE_OUTPUT_STREAM)
                    .making(Operation.CREATE, CreateTask.by(Create.fileOutputStream())),
            new Method("FileOutputStream+append").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose::fileOutputStreamAppend),
            new Method("RandomAccessFile+rw").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.RANDOM_ACCESS_FILE),
            new Method("Files.newOutputStream").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose::newOutputStream)
                    .making(Operation.CREATE, CreateTask.by(Create.newOutputStream())),
            new Method("FileChannel.open+WRITE").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose::fileChannel),
            new Method("FileOutputStream-fstat").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.FILE_OUTPUT_STREAM)
                    .eliding(),
            new Method("RandomAccessFile+rw-fstat").with(Operation.OPEN_WRITE_CLOSE, OpenWriteClose.RANDOM_ACCESS_FILE)
                    .eliding(),
            new Method("FileInputStream+read").with(Operation.OPEN_READ_CLOSE, OpenReadClose::fileInputStream),
            new Method("RandomAccessFile+read").with(Operation.OPEN_READ_CLOSE, OpenReadClose::randomAccessFile),
            new Method("FileChannel+read").with(Operation.OPEN_READ_CLOSE, OpenReadClose::fileChannel)
                    .with(Operation.READ_WHOLE, ReadWhole::fileChannel),
            new Method("FileChannel+read+heap").with(Operation.OPEN_READ_CLOSE, OpenReadClose::fileChannelHeap),
            new Method("Files.newInputStream+read").with(Operation.OPEN_READ_CLOSE, OpenReadClose::newInputStream),
            new Method("FileChannel.map").with(Operation.OPEN_READ_CLOSE, OpenReadClose::map)
                    .with(Operation.READ_WHOLE, ReadWhole::map).with(ReadBlock::map).mapping(),
            new Method("FileChannel.map+get").with(Operation.READ_WHOLE, ReadWhole::mapCopy).with(ReadBlock::mapCopy)
                    .mapping(),
            new Method("Files.readAllBytes").with(Operation.READ_WHOLE, ReadWhole::readAllBytes)
                    .making(Operation.RELOAD, ReloadTask.by(Reload::readAllBytes)),
            new Method("Files.readString+ISO_8859_1").with(Operation.READ_WHOLE, ReadWhole::readString),
            new Method("FileInputStream.readAllBytes").with(Operation.READ_WHOLE, ReadWhole::fileInputStream),
            new Method("BufferedInputStream+readAllBytes").with(Operation.READ_WHOLE, ReadWhole::bufferedInputStream),
            new Method("Files.newInputStream+readAllBytes").with(Operation.READ_WHOLE, ReadWhole::newInputStream),
            new Method("RandomAccessFile.readFully").with(Operation.READ_WHOLE, ReadWhole::randomAccessFile),
            new Method("RandomAccessFile.seek+read").with(ReadBlock::randomAccessFile),
            new Method("FileChannel.read+position").with(ReadBlock::fileChannel),
            new Method("FileChannel+DIRECT").making(Operation.READ_WHOLE, DirectIo::wholeTask)
                    .making(Operation.READ_BLOCK, DirectIo::blockTask),
            new Method("Files.lines").with(Operation.LINES, Lines::filesLines),
            new Method("BufferedReader.readLine").with(Operation.LINES, Lines::bufferedReader),
            new Method("Files.readAllLines").with(Operation.LINES, Lines::readAllLines),
            new Method("Scanner.nextLine").with(Operation.LINES, Lines::scanner),
            new Method("BufferedReader+indexOf").with(Operation.SEARCH, Search::bufferedReader),
            new Method("FileChannel+read+search").with(Operation.SEARCH, Search::fileChannel),
            new Method("FileChannel.map+search").with(Operation.SEARCH, Search::map).mapping(),
            new Method("FileInputStream+MessageDigest").with(Operation.HASH, Hash::fileInputStream).taking("algorithm"),
            new Method("FileChannel.map+MessageDigest").with(Operation.HASH, Hash::map).taking("algorithm").mapping(),
            new Method("FileChannel.open+CREATE").making(Operation.CREATE, CreateTask.by(Create.fileChannel())),
            new Method("Files.write").making(Operation.CREATE, CreateTask::atOnce),
            new Method("RandomAccessFile.seek+write")
                    .making(Operation.WRITE_BLOCK, WriteTask.by(WriteBlock::randomAccessFile)),
            new Method("FileChannel.write+position").making(Operation.WRITE_BLOCK, WriteTask.by(WriteBlock::fileChannel)),
            new Method("FileOutputStream.write")
                    .making(Operation.WRITE_BLOCK, WriteTask.sequentially(WriteBlock::fileOutputStream)),
            new Method("BufferedOutputStream.write")
                    .making(Operation.WRITE_BLOCK, WriteTask.sequentially(WriteBlock::bufferedOutputStream)),
            new Method("MappedByteBuffer.put").making(Operation.WRITE_BLOCK, WriteTask.by(WriteBlock::map)),
            new Method("Files.copy").making(Operation.COPY, CopyTask.unsynced(Copy::files)),
            new Method("FileChannel.transferTo").making(Operation.COPY, CopyTask.by(Copy::fileChannel)),
            new Method("InputStream.transferTo").making(Operation.COPY, CopyTask.by(Copy::inputStream)),
            new Method("embedded").with(Operation.TEMPLATE, Template::embedded),
            new Method("Files.readString").with(Operation.TEMPLATE, Template::readString),
            new Method("Files.readAttributes").making(Operation.RELOAD, ReloadTask.by(Reload::readAttributes)),
            new Method("WatchService").making(Operation.RELOAD, ReloadTask.by(Reload::watchService)),
            Method.nothing().taking("algorithm"));

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
