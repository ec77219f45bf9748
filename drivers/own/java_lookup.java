// Lends the driver the access that a class of the user's own loader has.

import java.lang.invoke.MethodHandles;

public final class FathomLookup {
    private FathomLookup() {}

    public static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }
}
