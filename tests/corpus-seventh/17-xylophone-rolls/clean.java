import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

class Main {
    private final Map<Integer, Integer> bars = new TreeMap<>();
    private int strokes;
    private long beats;

    private void stroke(int bar, int length) {
        bars.merge(bar % 12, 1, Integer::sum);
        beats += length % 8 + 1;
        strokes++;
    }

    private static DataInputStream roll(String name) throws IOException {
        return new DataInputStream(new BufferedInputStream(new FileInputStream(name)));
    }

    void play(String name) throws IOException {
        try (DataInputStream in = roll(name)) {
            while (true) {
                int pair = in.readUnsignedShort();
                stroke(pair >> 8, pair & 0xff);
            }
        } catch (EOFException end) {
            // the roll is over
        }
    }

    public static void main(String[] args) throws IOException {
        Main player = new Main();
        player.play("roll.bin");
        StringBuilder text = new StringBuilder();
        player.bars.forEach((bar, n) -> text.append(bar).append('x').append(n).append(' '));
        System.out.println(player.strokes + " strokes, " + player.beats + " beats");
        System.out.println(text.toString().trim());
    }
}
