// The lines on standard input: their grammar. What they cause stands in Session.

import java.util.ArrayList;
import java.util.List;

final class Orders {
    /** 62 bits, so that a count and its pre-roll can be added. */
    private static final long MAX_COUNT = (1L << 62) - 1;

    private Orders() {}

    /** Reads the words of `batch N [method=K] [preroll=P]`. */
    static Batch batch(String[] words, int methods) throws NonsenseException {
        if (words.length < 2) {
            throw new NonsenseException();
        }
        int method = 0;
        long preroll = 0;
        for (int i = 2; i < words.length; i++) {
            if (words[i].startsWith("method=")) {
                method = method(words[i].substring(7), methods);
            } else if (words[i].startsWith("preroll=")) {
                preroll = count(words[i].substring(8));
            } else {
                throw new NonsenseException();
            }
        }
        return new Batch(method, count(words[1]), preroll);
    }

    /** Reads the words of `blocks K:N:P ...`. */
    static List<Batch> schedule(String[] words, int methods) throws NonsenseException {
        List<Batch> schedule = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            String[] parts = words[i].split(":", -1);
            if (parts.length != 3) {
                throw new NonsenseException();
            }
            schedule.add(new Batch(method(parts[0], methods), count(parts[1]), count(parts[2])));
        }
        if (schedule.isEmpty()) {
            throw new NonsenseException();
        }
        return schedule;
    }

    /** Reads the words of `verify [method=K]`. */
    static int verify(String[] words, int methods) throws NonsenseException {
        if (words.length == 1) {
            return 0;
        }
        if (words.length > 2 || !words[1].startsWith("method=")) {
            throw new NonsenseException();
        }
        return method(words[1].substring(7), methods);
    }

    private static int method(String text, int methods) throws NonsenseException {
        return (int) known(number(text, methods - 1));
    }

    private static long count(String text) throws NonsenseException {
        return known(number(text, MAX_COUNT));
    }

    private static long known(long value) throws NonsenseException {
        if (value < 0) {
            throw new NonsenseException();
        }
        return value;
    }

    /** A number from 0 to `most` in decimal digits, else -1. */
    static long number(String text, long most) {
        if (text.isEmpty() || !text.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            return -1;
        }
        try {
            long value = Long.parseLong(text);
            return value <= most ? value : -1;
        } catch (NumberFormatException error) {
            return -1;
        }
    }
}
