// PITH_TIMING=1 prints where the time went: at a terminal as soon as it is ready, else at the end. `x` leaves there,
// `full` tells every module too. PITH_DEBUG_STARTUP=1 says each phase of the start as it begins and ends.
// The process-wide tree is deliberate: a span must be able to start before any object exists.
import { writeSync } from "node:fs";

interface Span {
  name: string;
  start: number;
  end?: number;
  children: Span[];
}

const env = process.env;
const on = Boolean(env.PITH_TIMING && env.PITH_TIMING !== "0");
let loud = Boolean(env.PITH_DEBUG_STARTUP && env.PITH_DEBUG_STARTUP !== "0");
const loads: string[] = [];
let told = false;
const root: Span = { name: "pith", start: 0, children: [] };
const open: Span[] = [root];

/** Opens a span; dispose it (or call it) to close. Costs nothing unless switched on. */
export function span(name: string): Disposable & (() => void) {
  if (!on && !loud) return none;
  const now = performance.now();
  say(`${name}:start`);
  const span: Span = { name, start: now, children: [] };
  (open.at(-1) ?? root).children.push(span);
  open.push(span);
  const close = () => {
    if (span.end === undefined) say(`${name}:done`);
    span.end ??= performance.now();
    const at = open.indexOf(span);
    if (at > 0) open.splice(at, 1);
  };
  return Object.assign(close, { [Symbol.dispose]: close });
}

/** At once, also when the next thing that happens is a crash. */
function say(phase: string): void {
  if (!loud) return;
  try {
    writeSync(2, `[startup] ${phase}\n`);
  } catch {
    // Nobody can read it.
  }
}

/** The start is over. Whether somebody at a terminal only wanted to know how long it took. */
export function endStartup(): "go on" | "leave" {
  loud = false;
  return env.PITH_TIMING === "x" ? "leave" : "go on";
}

/** A module that was asked for, where somebody watches. */
export function noteLoad(name: string): void {
  loads.push(`${performance.now().toFixed(1).padStart(9)} ms  ${name}`);
}

/** The span tree as text, once; nothing when timing is off. Times are milliseconds since the process started. */
export function timingReport(): string | undefined {
  if (!on || told) return undefined;
  told = true;
  const rows: string[] = [];
  const walk = (item: Span, depth: number) => {
    const took = (item.end ?? performance.now()) - item.start;
    rows.push(`${took.toFixed(1).padStart(9)} ms  ${"  ".repeat(depth)}${item.name} (at ${item.start.toFixed(1)})`);
    for (const child of item.children) walk(child, depth + 1);
  };
  walk(root, 0);
  return `${[...rows, ...loads].join("\n")}\n`;
}

const nothing = () => {};
const none: Disposable & (() => void) = Object.assign(nothing, { [Symbol.dispose]: nothing });
