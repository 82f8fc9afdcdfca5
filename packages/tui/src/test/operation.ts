// Operations on a screen, as data: a trace is a list of them, which can be stored, replayed and shortened.
export type Operation =
  | { readonly op: "append"; readonly rows: number }
  | { readonly op: "stream"; readonly words: number }
  | { readonly op: "rewrite"; readonly at: number }
  | { readonly op: "finish" }
  | { readonly op: "insert"; readonly at: number }
  | { readonly op: "restyle" }
  | { readonly op: "shrink"; readonly rows: number }
  | { readonly op: "chrome"; readonly rows: number }
  | { readonly op: "overlay" }
  | { readonly op: "resize"; readonly columns: number; readonly rows: number }
  | { readonly op: "scroll"; readonly lines: number }
  | { readonly op: "suspend" }
  | { readonly op: "replace" }
  | { readonly op: "redraw" }
  | { readonly op: "idle" };

export interface Shape {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly root: "plain" | "seam" | "transcript";
  readonly multiplexer?: true;
  readonly sync?: true;
  readonly keepsScreen?: true;
  readonly drawnCursor?: true;
  /** Never says where its cursor is. */
  readonly silent?: true;
}

export const shapes: readonly Shape[] = [
  { name: "usual", columns: 80, rows: 24, root: "transcript", sync: true },
  { name: "usual, plain root", columns: 80, rows: 24, root: "plain", sync: true },
  { name: "usual, seam", columns: 80, rows: 24, root: "seam" },
  { name: "large", columns: 200, rows: 60, root: "transcript", sync: true },
  { name: "small", columns: 20, rows: 6, root: "transcript" },
  { name: "small, plain root", columns: 20, rows: 6, root: "plain" },
  { name: "tiny", columns: 2, rows: 1, root: "transcript" },
  { name: "tiny, plain root", columns: 2, rows: 2, root: "plain" },
  { name: "one line", columns: 80, rows: 1, root: "seam", sync: true },
  { name: "two columns", columns: 2, rows: 24, root: "transcript" },
  { name: "wide and flat", columns: 300, rows: 4, root: "transcript", sync: true },
  { name: "narrow and tall", columns: 12, rows: 100, root: "seam" },
  { name: "keeps the screen", columns: 60, rows: 15, root: "transcript", sync: true, keepsScreen: true },
  { name: "drawn cursor", columns: 60, rows: 15, root: "transcript", drawnCursor: true },
  { name: "multiplexer", columns: 80, rows: 24, root: "transcript", multiplexer: true },
  { name: "multiplexer, small", columns: 24, rows: 8, root: "transcript", multiplexer: true, sync: true },
  { name: "multiplexer, plain root", columns: 60, rows: 12, root: "plain", multiplexer: true },
  { name: "multiplexer, seam", columns: 40, rows: 20, root: "seam", multiplexer: true },
  { name: "multiplexer, silent", columns: 50, rows: 14, root: "transcript", multiplexer: true, silent: true },
  { name: "phone", columns: 38, rows: 30, root: "transcript", sync: true },
  { name: "old glass terminal", columns: 80, rows: 25, root: "plain" },
];

/** Numbers that come again for the same seed (mulberry32). */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function randomTrace(shape: Shape, seed: number, length: number): Operation[] {
  const pick = random(seed);
  return Array.from({ length }, () => operation(pick, shape));
}

function operation(pick: (below: number) => number, shape: Shape): Operation {
  const roll = pick(100);
  if (roll < 18) return { op: "append", rows: 1 + pick(pick(8) === 0 ? 80 : 5) };
  if (roll < 44) return { op: "stream", words: 1 + pick(12) };
  if (roll < 50) return { op: "rewrite", at: pick(1000) };
  if (roll < 57) return { op: "finish" };
  if (roll < 60) return { op: "insert", at: pick(1000) };
  if (roll < 63) return { op: "restyle" };
  if (roll < 67) return { op: "shrink", rows: 1 + pick(40) };
  if (roll < 74) return { op: "chrome", rows: pick(6) };
  if (roll < 80) return { op: "overlay" };
  if (roll < 85)
    return {
      op: "resize",
      columns: Math.max(2, shape.columns + pick(21) - 10),
      rows: Math.max(1, shape.rows + pick(11) - 5),
    };
  if (roll < 92) return { op: "scroll", lines: pick(41) - 25 };
  if (roll < 94) return { op: "suspend" };
  if (roll < 95) return { op: "replace" };
  if (roll < 97) return { op: "redraw" };
  return { op: "idle" };
}
