import type { TextBuffer } from "./buffer.ts";

export type ChangeKind = "type" | "delete" | "other";

/** Steps back and forth. Letters typed in one go are one step; a space, a motion or another kind of change ends it. */
export interface Undo {
  /** Before a change: remembers what was. */
  note(before: TextBuffer, kind: ChangeKind, text?: string): void;
  /** How many steps there are; `join` makes one of those behind such a place. */
  readonly depth: number;
  join(depth: number): void;
  /** Whatever comes next is a step of its own. */
  close(): void;
  undo(now: TextBuffer): TextBuffer | undefined;
  redo(now: TextBuffer): TextBuffer | undefined;
  clear(): void;
}

const limit = 500;

export function createUndo(): Undo {
  let past: TextBuffer[] = [];
  let future: TextBuffer[] = [];
  let open: ChangeKind | undefined;
  return {
    note(before, kind, text = "") {
      future = [];
      const joins = open === kind && kind !== "other";
      if (!joins) past.push(before);
      if (past.length > limit) past.shift();
      open = kind === "type" && /\s$/.test(text) ? undefined : kind;
    },
    get depth() {
      return past.length;
    },
    join(depth) {
      if (past.length > depth + 1) past.length = depth + 1;
      open = undefined;
    },
    close() {
      open = undefined;
    },
    undo(now) {
      const was = past.pop();
      if (was) future.push(now);
      open = undefined;
      return was;
    },
    redo(now) {
      const next = future.pop();
      if (next) past.push(now);
      open = undefined;
      return next;
    },
    clear() {
      past = [];
      future = [];
      open = undefined;
    },
  };
}

/** What was cut, newest first; cuts in a row are one piece. */
export interface KillRing {
  kill(text: string, side: "before" | "after"): void;
  /** The next cut begins a new piece. */
  close(): void;
  yank(): string;
  /** The piece before the one yanked last. */
  older(): string;
}

export function createKillRing(): KillRing {
  const ring: string[] = [];
  let open = false;
  let at = 0;
  return {
    kill(text, side) {
      if (text === "") return;
      if (open && ring[0] !== undefined) ring[0] = side === "before" ? text + ring[0] : ring[0] + text;
      else ring.unshift(text);
      if (ring.length > 60) ring.pop();
      open = true;
      at = 0;
    },
    close() {
      open = false;
    },
    yank() {
      at = 0;
      return ring[0] ?? "";
    },
    older() {
      at = ring.length === 0 ? 0 : (at + 1) % ring.length;
      return ring[at] ?? "";
    },
  };
}
