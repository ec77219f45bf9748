// Functions of a user's class as methods: its public static methods of one path. The class lies in `own` beside
// the driver's classes and is loaded apart from them, so that no name of its can be one of the driver's.

import java.io.File;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class Own {
    private static final Set<Class<?>> PATHS = Set.of(String.class, Path.class, File.class);
    private static final Set<Class<?>> COUNTS = Set.of(int.class, long.class);
    private static final Set<Class<?>> BYTES =
            Set.of(byte[].class, ByteBuffer.class, String.class, Integer.class, Long.class);

    private Own() {}

    /** Of the driver's own methods `null` alone, and those of the user's class. */
    static List<Method> methods(List<Method> kit) {
        List<Method> all = kit.stream().filter(method -> method.name().equals("null"))
                .collect(Collectors.toCollection(ArrayList::new));
        try {
            for (java.lang.reflect.Method each : declared()) {
                all.add(method(each));
            }
        } catch (Throwable error) {
            System.err.println(OwnClass.PLACE + ": " + error);
            System.exit(1);
        }
        return all;
    }

    private static List<java.lang.reflect.Method> declared() throws Exception {
        URL here = Own.class.getProtectionDomain().getCodeSource().getLocation();
        Path home = Path.of(here.toURI()).resolve("own");
        String file = OwnClass.NAME + ".class";
        try (Stream<Path> files = Files.walk(home)) {
            Path found = files.filter(path -> path.getFileName().toString().equals(file)).findFirst().orElseThrow(
                    () -> new ClassNotFoundException("there is no class " + OwnClass.NAME + ", as the file is named"));
            String name = home.relativize(found).toString().replace(".class", "").replace('/', '.');
            URL[] place = {home.toUri().toURL()};
            Class<?> own = Class.forName(name, true, new URLClassLoader(place, ClassLoader.getPlatformClassLoader()));
            return Arrays.stream(own.getDeclaredMethods())
                    .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                    .filter(each -> !each.getName().equals("main"))
                    .sorted(Comparator.comparing(java.lang.reflect.Method::getName)).toList();
        }
    }

    private static Method method(java.lang.reflect.Method own) throws Throwable {
        Method method = new Method(own.getName(), own.toString().replaceFirst("^public (static )?", ""));
        String misfit = misfit(own);
        return misfit == null ? method.with(Operation.READ_WHOLE, action(own)) : method.unavailable(misfit);
    }

    private static String misfit(java.lang.reflect.Method own) {
        if (!Modifier.isStatic(own.getModifiers())) {
            return "is not static";
        }
        Class<?>[] takes = own.getParameterTypes();
        if (takes.length != 1) {
            return "takes " + takes.length + " arguments";
        }
        Class<?> returns = own.getReturnType();
        if (!PATHS.contains(takes[0])) {
            return "takes " + takes[0].getSimpleName();
        }
        boolean overloaded = Arrays.stream(own.getDeclaringClass().getDeclaredMethods())
                .filter(other -> other.getName().equals(own.getName())).count() > 1;
        if (overloaded) {
            return "is overloaded";
        }
        return COUNTS.contains(returns) || BYTES.contains(returns) ? null : "returns " + returns.getSimpleName();
    }

    private static Action action(java.lang.reflect.Method own) throws Throwable {
        Class<?> takes = own.getParameterTypes()[0];
        Map<Target, Object> files = new IdentityHashMap<>();
        Function<Target, Object> path = takes == Path.class ? Target::path
                : takes == String.class ? Target::name
                : target -> files.computeIfAbsent(target, each -> new File(each.name()));
        if (COUNTS.contains(own.getReturnType())) {
            @SuppressWarnings("unchecked")
            ToLongFunction<Object> count = bind(ToLongFunction.class, "applyAsLong", long.class, long.class, own);
            return (target, tools, out) -> OwnAnswer.guard(target, () ->
                    OwnAnswer.takeCount(count.applyAsLong(path.apply(target)), out));
        }
        @SuppressWarnings("unchecked")
        Function<Object, Object> read = bind(Function.class, "apply", Object.class, own.getReturnType(), own);
        OwnAnswer answer = new OwnAnswer();
        return (target, tools, out) -> OwnAnswer.guard(target, () ->
                answer.take(read.apply(path.apply(target)), target, out));
    }

    /** The function as the compiler would bind it: a call through it is a call, and may be inlined. */
    private static <F> F bind(Class<F> kind, String call, Class<?> erased, Class<?> returns, java.lang.reflect.Method own)
            throws Throwable {
        own.setAccessible(true);
        Class<?> lender = own.getDeclaringClass().getClassLoader().loadClass("FathomLookup");
        MethodHandles.Lookup lent = (MethodHandles.Lookup) lender.getMethod("lookup").invoke(null);
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(own.getDeclaringClass(), lent);
        MethodHandle handle = lookup.unreflect(own);
        MethodType exact = MethodType.methodType(returns, own.getParameterTypes()[0]);
        return kind.cast(LambdaMetafactory.metafactory(lookup, call, MethodType.methodType(kind),
                MethodType.methodType(erased, Object.class), handle, exact).getTarget().invoke());
    }
}
