// The result of one batch.

record Outcome(long count, long ns, long bytes, long digest, long lines, long matches, String figures, Failure failure) {
    static Outcome done(long count, long ns, Sink sink, String figures) {
        return new Outcome(count, ns, sink.bytes, sink.digest, sink.lines, sink.matches, figures, null);
    }

    static Outcome failed(Failure failure) {
        return new Outcome(0, 0, 0, 0, 0, 0, "", failure);
    }

    String line(Operation operation) {
        if (failure != null) {
            return failure.line();
        }
        String counted = switch (operation) {
            case LINES -> " lines=" + lines;
            case SEARCH -> " matches=" + matches;
            default -> "";
        };
        return "done ops=" + count + " ns=" + ns + " bytes=" + bytes + " digest=" + Long.toUnsignedString(digest)
                + counted + figures;
    }
}
