// Failures: what the caller is told when an operation fails. Java's exceptions
// carry the text of an errno at most, so its name is found by the text.

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

record Failure(String operation, String errno, String path) {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("Operation not permitted", "EPERM"),
            Map.entry("No such file or directory", "ENOENT"),
            Map.entry("Interrupted system call", "EINTR"),
            Map.entry("Input/output error", "EIO"),
            Map.entry("No such device or address", "ENXIO"),
            Map.entry("Bad file descriptor", "EBADF"),
            Map.entry("Resource temporarily unavailable", "EAGAIN"),
            Map.entry("Cannot allocate memory", "ENOMEM"),
            Map.entry("Permission denied", "EACCES"),
            Map.entry("Bad address", "EFAULT"),
            Map.entry("Device or resource busy", "EBUSY"),
            Map.entry("No such device", "ENODEV"),
            Map.entry("Not a directory", "ENOTDIR"),
            Map.entry("Is a directory", "EISDIR"),
            Map.entry("File exists", "EEXIST"),
            Map.entry("Invalid argument", "EINVAL"),
            Map.entry("Too many open files in system", "ENFILE"),
            Map.entry("Too many open files", "EMFILE"),
            Map.entry("Text file busy", "ETXTBSY"),
            Map.entry("File too large", "EFBIG"),
            Map.entry("No space left on device", "ENOSPC"),
            Map.entry("Read-only file system", "EROFS"),
            Map.entry("File name too long", "ENAMETOOLONG"),
            Map.entry("Function not implemented", "ENOSYS"),
            Map.entry("Too many levels of symbolic links", "ELOOP"),
            Map.entry("No data available", "ENODATA"),
            Map.entry("Operation not supported", "EOPNOTSUPP"),
            Map.entry("Stale file handle", "ESTALE"),
            Map.entry("Disk quota exceeded", "EDQUOT"));

    static Failure of(Throwable thrown, String path) {
        if (thrown instanceof TargetException error) {
            Failure failure = of(error.getCause(), error.target.name());
            return error.call == null ? failure : new Failure(error.call, failure.errno(), failure.path());
        }
        // What a stream, a thread pool or FileChannel.map wrapped.
        if (thrown.getCause() instanceof IOException || thrown.getCause() instanceof Error) {
            return of(thrown.getCause(), path);
        }
        return new Failure(operationOf(thrown), errnoOf(thrown), path);
    }

    /** The kernel or the file system has no such thing. */
    boolean isRefusal() {
        return errno.equals("EINVAL") || errno.equals("ENODEV") || errno.equals("ENOSYS") || errno.equals("EOPNOTSUPP");
    }

    String line() {
        return "error op=" + operation + " errno=" + errno + " path=" + path;
    }

    private static String operationOf(Throwable thrown) {
        if (thrown instanceof FileNotFoundException || thrown instanceof FileSystemException) {
            return "open";
        }
        if (thrown instanceof OutOfMemoryError) {
            return String.valueOf(thrown.getMessage()).startsWith("Map failed") ? "map" : "allocate";
        }
        return thrown instanceof InternalError || isShort(thrown) ? "map" : "read";
    }

    private static String errnoOf(Throwable thrown) {
        if (thrown instanceof NoSuchFileException) {
            return "ENOENT";
        }
        if (thrown instanceof FileAlreadyExistsException) {
            return "EEXIST";
        }
        if (thrown instanceof AccessDeniedException) {
            return "EACCES";
        }
        // The file is shorter than it was said to be.
        if (thrown instanceof EOFException || isShort(thrown)) {
            return "ENODATA";
        }
        if (thrown instanceof OutOfMemoryError) {
            return String.valueOf(thrown.getMessage()).contains("array size too large") ? "EFBIG" : "ENOMEM";
        }
        // A mapped file became shorter than its mapping.
        if (thrown instanceof InternalError) {
            return "EFAULT";
        }
        return named(reason(thrown));
    }

    private static boolean isShort(Throwable thrown) {
        return String.valueOf(thrown.getMessage()).contains("cannot extend file");
    }

    private static String reason(Throwable thrown) {
        if (thrown instanceof FileSystemException error) {
            return String.valueOf(error.getReason());
        }
        String message = String.valueOf(thrown.getMessage());
        // FileInputStream and its kin: the path, then the reason in brackets.
        boolean bracketed = thrown instanceof FileNotFoundException && message.endsWith(")");
        return bracketed ? message.substring(message.lastIndexOf('(') + 1, message.length() - 1) : message;
    }

    private static String named(String reason) {
        // Java adds words of its own to the text of ELOOP.
        return reason.startsWith("Too many levels of symbolic links") ? "ELOOP" : NAMES.getOrDefault(reason, "EIO");
    }
}

/** A failure on another file than that of the next operation. */
final class TargetException extends IOException {
    private static final long serialVersionUID = 1;

    final transient Target target;
    /** What failed; null where the cause tells. */
    final String call;

    TargetException(Target target, IOException cause) {
        this(target, cause, null);
    }

    TargetException(Target target, IOException cause, String call) {
        super(cause);
        this.target = target;
        this.call = call;
    }

    /** A failure to open a file or to write to it. */
    static TargetException writing(Target target, IOException cause) {
        boolean opening = cause instanceof FileNotFoundException || cause instanceof FileSystemException;
        return new TargetException(target, cause, opening ? "open" : "write");
    }
}

/** A file of the run, under the two kinds of name that Java's interfaces take. */
record Target(String name, Path path) {
    Target(String name) {
        this(name, Path.of(name));
    }
}
