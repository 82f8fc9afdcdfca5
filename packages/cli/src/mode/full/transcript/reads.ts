import type { ToolCall, ToolResultMessage } from "@pith/llm";
import { fit, type Theme, width } from "@pith/tui";
import { plainLine } from "../../../view/canvas.ts";
import { resultBrief, resultRows } from "../../../view/view.ts";
import { type Result, wholeOf } from "./card.ts";
import {
  callIn,
  canvasOf,
  grounded,
  gutter,
  heights,
  imagesOf,
  indented,
  type Piece,
  type PieceList,
  type PieceStyle,
  resultAt,
  type Whole,
} from "./piece.ts";

interface Read {
  call: ToolCall;
  /** The entry with the call, and the one with its result. */
  entry: string | undefined;
  ended?: string;
  result?: Result | undefined;
}

/** Files that were read one after the other. */
class ReadsPiece implements Piece {
  readonly #style: PieceStyle;
  reads: Read[];
  /** True once no other file joins it. */
  closed = false;

  constructor(style: PieceStyle, reads: Read[] = []) {
    this.#style = style;
    this.reads = reads;
  }

  get final(): boolean {
    return this.closed && this.#style.album.ready(this.#pictures);
  }

  render(columns: number): string[] {
    const { theme, album } = this.#style;
    const state = this.reads.some(({ result }) => !result)
      ? "open"
      : this.reads.some(({ result }) => result?.isError)
        ? "failed"
        : "done";
    const { ground, mark } = states[state];
    const head = `${mark(theme)} ${theme.paint("strong", "read")}`;
    const inside = canvasOf(this.#style, columns, heights.live);
    const fault = ({ result }: Read) => (result?.isError ? resultRows(result, inside) : undefined);
    const [only] = this.reads;
    if (this.reads.length === 1 && only)
      return [
        grounded(theme, ground, `${head} ${this.#row(only, columns - width(head) - 1)}`, columns),
        ...indented(fault(only) ?? album.rows(this.#pictures, inside.columns, theme)),
      ];
    const rows = this.reads.flatMap((read) => [
      this.#row(read, inside.columns - 2),
      ...(fault(read) ?? []),
      ...album.rows(imagesOf(read.result?.content ?? []), inside.columns - gutter, theme),
    ]);
    return [grounded(theme, ground, `${head} ${this.reads.length} files`, columns), ...indented(indented(rows))];
  }

  whole(): Whole | undefined {
    const last = this.reads.at(-1);
    return last && wholeOf(last.call, last.result);
  }

  get #pictures() {
    return this.reads.flatMap(({ result }) => (result ? imagesOf(result.content) : []));
  }

  #row({ call, result }: Read, columns: number): string {
    const { theme } = this.#style;
    const { path } = call.arguments;
    const name = plainLine(typeof path === "string" ? path : theme.glyph.ellipsis);
    const brief = result && !result.isError ? theme.paint("dim", resultBrief(result)) : "";
    const room = Math.max(8, columns - width(brief) - 2);
    return `${fit(name, room, theme.glyph.ellipsis)}${brief === "" ? "" : `  ${brief}`}`;
  }
}

const states = {
  open: { ground: "toolPending", mark: ({ paint, glyph }: Theme) => paint("accent", glyph.bullet) },
  failed: { ground: "toolError", mark: ({ paint, glyph }: Theme) => paint("error", glyph.bad) },
  done: { ground: "toolSuccess", mark: ({ paint, glyph }: Theme) => paint("ok", glyph.bullet) },
} as const;

/** Joins files that are read one after the other to one piece, in the place of the first call. */
export class ReadGroups {
  readonly #style: PieceStyle;
  readonly #list: PieceList;
  /** The piece that the next file joins. */
  #open: ReadsPiece | undefined;
  /** The pieces of calls without a result. */
  readonly #waiting = new Map<string, ReadsPiece>();

  constructor(style: PieceStyle, list: PieceList) {
    this.#style = style;
    this.#list = list;
  }

  has(call: string): boolean {
    return this.#waiting.has(call);
  }

  /** Takes a call, as far as it is known; returns the piece that it began. */
  called(call: ToolCall, entry: string | undefined): Piece | undefined {
    const known = this.#waiting.get(call.id) ?? this.#open;
    const piece = known ?? new ReadsPiece(this.#style);
    const read = piece.reads.find((each) => each.call.id === call.id);
    if (read) Object.assign(read, { call, entry });
    else piece.reads.push({ call, entry });
    this.#waiting.set(call.id, piece);
    if (known) return undefined;
    this.#open = piece;
    this.#list.add(piece);
    return piece;
  }

  ended(result: ToolResultMessage, entry: string): void {
    const { toolCallId: id } = result;
    const piece = this.#waiting.get(id);
    const read = piece?.reads.find(({ call }) => call.id === id);
    if (!piece || !read) return;
    this.#waiting.delete(id);
    Object.assign(read, { result, ended: entry });
    this.#settle(piece);
  }

  /** Lets no other file join. */
  close(): void {
    const piece = this.#open;
    this.#open = undefined;
    if (!piece) return;
    piece.closed = true;
    this.#settle(piece);
  }

  /** Removes calls whose reply came to nothing. */
  forget(calls: Iterable<string>): void {
    for (const id of calls) {
      const piece = this.#waiting.get(id);
      if (!piece) continue;
      this.#waiting.delete(id);
      piece.reads = piece.reads.filter(({ call }) => call.id !== id);
      if (piece.reads.length === 0 && piece === this.#open) this.#open = undefined;
      else this.#settle(piece);
    }
  }

  /** Settles all pieces: no result comes any more. */
  end(): void {
    const left = new Set(this.#waiting.values());
    this.#waiting.clear();
    this.close();
    for (const piece of left) this.#settle(piece);
  }

  /** Makes a piece final once nothing joins it and none of its results is missing. */
  #settle(piece: ReadsPiece): void {
    if (!piece.closed || piece.reads.some(({ call }) => this.#waiting.has(call.id))) return;
    const ids = piece.reads.map(({ call, entry, ended }) => ({ id: call.id, entry, ended }));
    this.#list.settle(piece, () => {
      const reads = ids.flatMap(({ id, entry, ended }): Read[] => {
        const call = callIn(this.#list, entry, id);
        return call ? [{ call, entry, result: resultAt(this.#list, ended) }] : [];
      });
      const again = new ReadsPiece(this.#style, reads);
      again.closed = true;
      return again;
    });
  }
}
