import java.io.*;

/** Finds the best of all test results. */
class Main {
    static int score(String path) throws IOException {
        BufferedReader in = new BufferedReader(new FileReader(path));
        String line = in.readLine();
        return Integer.parseInt(line.substring(6));
    }

    public static void main(String[] args) throws IOException {
        int best = -1;
        int bestAt = -1;
        int sum = 0;
        for (int i = 0; i < 80; i++) {
            int score = score("results/" + i + ".txt");
            sum += score;
            if (score > best) {
                best = score;
                bestAt = i;
            }
        }
        System.out.println("best " + best + " of result " + bestAt + ", sum " + sum);
    }
}
