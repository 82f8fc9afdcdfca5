/** Bytes by which a process may grow before its garbage is collected. */
const spareBytes = 16 * 1024 * 1024;

/**
 * Collects garbage once the process has grown by some megabytes since the last time, for moments at which nobody waits.
 * The runtime would let it grow to a multiple of what is used.
 */
export function createGarbageCollector(): () => void {
  let baseline = process.memoryUsage.rss();
  return () => {
    if (process.memoryUsage.rss() - baseline < spareBytes) return;
    Bun.gc(true);
    baseline = process.memoryUsage.rss();
  };
}
