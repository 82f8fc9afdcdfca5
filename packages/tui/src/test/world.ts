import { cursorMark, type Pane } from "../screen/frame.ts";
import { wrap } from "../text/wrap.ts";
import { createTranscript, type Transcript, type TranscriptBlock } from "../transcript/transcript.ts";
import { type Operation, random, type Shape } from "./operation.ts";
import type { SeenFrame } from "./shadow.ts";

const vocabulary = [
  "alpha",
  "beta",
  "γάμμα",
  "한국어",
  "👨‍👩‍👧",
  "e\u0301te\u0301",
  "naïve",
  "🇩🇪",
  "x",
  "loooooooooooong",
  "\x1b[32mgreen\x1b[39m",
  "国",
  "-",
  "1️⃣",
];

/** A small application that does what operations say, and remembers the frames it was asked for. */
export interface World {
  readonly panes: readonly Pane[];
  apply(operation: Operation): void;
  replace(): void;
  /** Frames drawn since the last call, oldest first. */
  frames(): (SeenFrame & { cursor?: { row: number } })[];
  /** Words that are final and must be found on the terminal or be waiting. */
  finalWords(): string[];
  box?: SeenFrame["box"];
}

interface Piece extends TranscriptBlock {
  text: string;
  style: string;
  final: boolean;
}

export function createWorld(shape: Shape, seed: number): World {
  const pick = random(seed ^ 0x5eed);
  let serial = 0;
  let chrome = 1;
  let pieces: Piece[] = [];
  let transcript: Transcript | undefined;
  const seen: (SeenFrame & { cursor?: { row: number } })[] = [];

  const words = (count: number) =>
    Array.from({ length: count }, () =>
      pick(3) === 0 ? `#${serial++}` : (vocabulary[pick(vocabulary.length)] ?? ""),
    ).join(" ");
  const draw = (piece: Piece, columns: number) =>
    wrap(piece.style + piece.text + (piece.style ? "\x1b[39m" : ""), columns);
  function piece(text: string, final: boolean): Piece {
    const made: Piece = { text, final, style: "", render: (columns) => draw(made, columns) };
    pieces.push(made);
    transcript?.add(made);
    return made;
  }
  const live = () => {
    const last = pieces.at(-1);
    return last && !last.final ? last : undefined;
  };
  function fresh() {
    pieces = [];
    if (shape.root !== "transcript") return;
    const shown = pieces;
    const made = createTranscript({
      gap: seed % 2,
      *history(columns, count) {
        for (const [at, each] of shown.slice(0, count).entries())
          yield at > 0 && seed % 2 === 1 ? ["", ...draw(each, columns)] : draw(each, columns);
      },
    });
    transcript = made;
  }
  fresh();

  // A pane for every root, so that a replaced session can bring a new transcript.
  const main: Pane = {
    render: (columns) => transcript?.render(columns) ?? pieces.flatMap((each) => draw(each, columns)),
    bounds() {
      if (transcript) return transcript.bounds?.() ?? {};
      if (shape.root === "plain") return {};
      const done = pieces.filter((each) => each.final).flatMap((each) => draw(each, lastColumns)).length;
      return { live: done };
    },
    committed: (rows) => transcript?.committed?.(rows),
    restart: (columns) => transcript?.restart?.(columns),
    remap: (...asked) => transcript?.remap?.(...asked) ?? { rows: 0, also: 0 },
  };
  let lastColumns = shape.columns;
  const foot: Pane = {
    render: () =>
      chrome === 0
        ? []
        : [...Array.from({ length: chrome - 1 }, (_, at) => `chrome ${at}`), `> ${"p".repeat(chrome)}${cursorMark}`],
    bounds: () => (shape.root === "plain" ? {} : { live: 0 }),
  };
  const watch: Pane = {
    render(columns, height) {
      lastColumns = columns;
      const rows = [...main.render(columns, height)];
      const seam = main.bounds?.() ?? {};
      const below = foot.render(columns, height);
      const cursor = below.length > 0 ? { row: (seam.base ?? 0) + rows.length + below.length - 1 } : undefined;
      const clean = below.map((row) => row.replace(cursorMark, ""));
      const liveAt = seam.live ?? (shape.root === "plain" ? undefined : (seam.base ?? 0) + rows.length);
      seen.push({
        base: seam.base ?? 0,
        rows: [...rows, ...clean],
        live: liveAt,
        safe: seam.safe,
        columns,
        height,
        cursor,
        box: world.box,
      });
      return rows;
    },
    bounds: () => main.bounds?.() ?? {},
    committed: main.committed,
    restart: main.restart,
    remap: (...asked) => {
      lastColumns = asked[1];
      return main.remap?.(...asked) ?? { rows: 0, also: 0 };
    },
  };

  const deeds: { [K in Operation["op"]]?: (operation: Extract<Operation, { op: K }>) => void } = {
    append({ rows }) {
      const open = live();
      if (open) open.final = true;
      for (let at = 0; at < rows; at++) piece(`#${serial++} ${words(1 + pick(6))}`, true);
    },
    stream({ words: count }) {
      const open = live();
      if (open) open.text += `${pick(4) === 0 ? "\n" : " "}${words(count)}`;
      else piece(`#${serial++} ${words(count)}`, false);
    },
    rewrite({ at }) {
      const open = live();
      if (!open) return;
      const lines = open.text.split("\n");
      lines[at % lines.length] = `#${serial++} rewritten`;
      open.text = lines.join("\n");
    },
    finish() {
      const open = live();
      if (open) open.final = true;
    },
    insert({ at }) {
      if (shape.root !== "plain" || pieces.length === 0) return;
      const made = piece(`#${serial++} inserted`, true);
      pieces.pop();
      pieces.splice(at % pieces.length, 0, made);
    },
    restyle() {
      for (const each of pieces.slice(-3)) each.style = each.style ? "" : "\x1b[35m";
    },
    shrink({ rows }) {
      const from = Math.max(0, pieces.length - rows);
      const first = pieces[from];
      if (!first) return;
      const length = transcript?.length ?? 0;
      transcript?.cut(first);
      // A transcript refuses what it has forgotten.
      if (!transcript || transcript.length < length) pieces.length = from;
    },
    chrome({ rows }) {
      chrome = rows;
    },
  };

  const world: World = {
    panes: [watch, foot],
    apply(operation) {
      (deeds[operation.op] as ((operation: Operation) => void) | undefined)?.(operation);
    },
    replace: fresh,
    frames: () => seen.splice(0),
    finalWords: () => pieces.filter((each) => each.final).flatMap((each) => each.text.match(/#\d+/g) ?? []),
  };
  return world;
}
