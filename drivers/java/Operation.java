// The words for operations. What they mean stands in PROTOCOL.md.

enum Operation {
    NULL, OPEN_CLOSE, OPEN_WRITE_CLOSE, OPEN_READ_CLOSE, READ_WHOLE, READ_BLOCK, LINES, SEARCH, HASH, OPEN_MISSING,
    CREATE, WRITE_BLOCK, COPY, TEMPLATE, RELOAD;

    final String word = name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');

    boolean writes() {
        return this == CREATE || this == WRITE_BLOCK || this == COPY;
    }

    boolean hasOffsets() {
        return this == READ_BLOCK || this == WRITE_BLOCK;
    }

    static Operation of(String word) throws UsageException {
        for (Operation operation : values()) {
            if (operation.word.equals(word)) {
                return operation;
            }
        }
        throw new UsageException("unknown operation \"" + word + "\"");
    }
}
