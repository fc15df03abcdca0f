import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** log4j2 with async loggers; the configuration comes from system properties. Five warm-up rounds go to the same file before the clock runs. */
public final class Log4jBench {
    private static final Logger LOG = LogManager.getLogger("bench");
    private static final int WARM_UP_ROUNDS = 5;
    private static final int WARM_UP_COUNT = 200_000;

    public static void main(String[] arguments) throws Exception {
        int threads = 1;
        int count = 1000;
        long rate = 0;
        int group = 10;
        for (int n = 0; n + 1 < arguments.length; n += 2) {
            if (arguments[n].equals("--threads")) threads = Integer.parseInt(arguments[n + 1]);
            if (arguments[n].equals("--count")) count = Integer.parseInt(arguments[n + 1]);
            if (arguments[n].equals("--rate")) rate = Long.parseLong(arguments[n + 1]);
            if (arguments[n].equals("--group")) group = Integer.parseInt(arguments[n + 1]);
        }
        long warm = 0;
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            warm += log(threads, WARM_UP_COUNT / threads);
            Thread.sleep(400);
        }
        long warmLines = (long) WARM_UP_ROUNDS * (WARM_UP_COUNT / threads * threads);
        if (rate > 0) callAtPace(count, rate, group, warmLines, warm);
        else saturate(threads, count, warmLines, warm);
    }

    /** Mode caller: the time in the calls alone, a few between two looks at the clock. */
    private static void callAtPace(int count, long rate, int group, long warmLines, long warmSum) {
        paced(count, rate, group);
        long spent = paced(count, rate, group);
        LogManager.shutdown();
        long calls = (count + group - 1) / group * (long) group;
        long sum = 0;
        for (long n = 0; n < calls; n++) sum += 2L * order(n);
        System.out.printf(java.util.Locale.ROOT, "lines %d%nsum %d%nnanoseconds %.3f%n", warmLines + 2 * calls, warmSum + sum, (double) spent / calls);
    }

    private static long paced(int count, long rate, int group) {
        long spent = 0;
        long start = System.nanoTime();
        for (long done = 0; done < count; done += group) {
            long now;
            while ((now = System.nanoTime()) - start < done * 1_000_000_000L / rate) Thread.onSpinWait();
            for (long n = done; n < done + group; n++) one(order(n));
            spent += System.nanoTime() - now;
        }
        return spent;
    }

    private static void saturate(int threads, int count, long warmLines, long warm) throws InterruptedException {
        int share = count / threads;
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        long sum = log(threads, share);
        long produced = System.nanoTime() - start;
        LogManager.shutdown();
        long elapsed = System.nanoTime() - start;
        cpu = system.getProcessCpuTime() - cpu;
        long lines = warmLines + (long) share * threads;
        System.out.printf(java.util.Locale.ROOT, "records %d%nlines %d%nsum %d%nseconds %.9f%nproducerSeconds %.9f%ncpuSeconds %.9f%n",
                share * threads, lines, warm + sum, elapsed / 1e9, produced / 1e9, cpu / 1e9);
    }

    private static long log(int threads, int share) throws InterruptedException {
        Thread[] producers = new Thread[threads];
        for (int thread = 0; thread < threads; thread++) {
            long first = (long) thread * share;
            producers[thread] = new Thread(() -> {
                for (long n = first; n < first + share; n++) one(order(n));
            });
            producers[thread].start();
        }
        for (Thread producer : producers) producer.join();
        long sum = 0;
        for (long n = 0; n < (long) threads * share; n++) sum += order(n);
        return sum;
    }

    private static int order(long n) {
        return 100_000 + (int) (n % 900_000);
    }

    // As in OrderLog.cs: an odd number of thousandths has three decimals.
    private static void one(int order) {
        LOG.info("Order {} for customer {} took {} ms with status {}", order, "ACME-Corp-EU", (order | 1) / 1000.0, "completed-ok");
    }
}
