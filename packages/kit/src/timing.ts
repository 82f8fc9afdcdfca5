// PITH_TIMING=1 prints where start-up went; PITH_DEBUG_STARTUP=1 says each phase as it happens.
// The process-wide tree is deliberate: a span must be able to start before any object exists.
interface Span {
  name: string;
  start: number;
  end?: number;
  children: Span[];
}

const env = process.env;
const on = Boolean(env.PITH_TIMING && env.PITH_TIMING !== "0");
const loud = Boolean(env.PITH_DEBUG_STARTUP && env.PITH_DEBUG_STARTUP !== "0");
const root: Span = { name: "pith", start: 0, children: [] };
const open: Span[] = [root];

/** Opens a span; dispose it (or call it) to close. Costs nothing unless switched on. */
export function span(name: string): Disposable & (() => void) {
  if (!on && !loud) return none;
  const now = performance.now();
  if (loud) process.stderr.write(`[startup ${now.toFixed(1)} ms] ${name}\n`);
  const span: Span = { name, start: now, children: [] };
  (open.at(-1) ?? root).children.push(span);
  open.push(span);
  const close = () => {
    span.end ??= performance.now();
    const at = open.indexOf(span);
    if (at > 0) open.splice(at, 1);
  };
  return Object.assign(close, { [Symbol.dispose]: close });
}

/** The span tree as text, or nothing when timing is off. Times are milliseconds since the process started. */
export function timingReport(): string | undefined {
  if (!on) return undefined;
  const rows: string[] = [];
  const walk = (item: Span, depth: number) => {
    const took = (item.end ?? performance.now()) - item.start;
    rows.push(`${took.toFixed(1).padStart(9)} ms  ${"  ".repeat(depth)}${item.name} (at ${item.start.toFixed(1)})`);
    for (const child of item.children) walk(child, depth + 1);
  };
  walk(root, 0);
  return `${rows.join("\n")}\n`;
}

const nothing = () => {};
const none: Disposable & (() => void) = Object.assign(nothing, { [Symbol.dispose]: nothing });
