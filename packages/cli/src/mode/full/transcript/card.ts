import { type FileChange, type Outcome, ownContent, resultFields, textOf } from "@pith/agent";
import type { ToolCall, ToolResultMessage } from "@pith/llm";
import { fit, type StyleName, type Theme, width } from "@pith/tui";
import { callRow } from "../../../view/call.ts";
import { type Canvas, plainLine } from "../../../view/canvas.ts";
import type { PartialCall } from "../../../view/partial-call.ts";
import { type Streamed, streamedRows, type UserRun, userRunRows } from "../../../view/user-run.ts";
import { cardParts, resultBrief, resultRows } from "../../../view/view.ts";
import { canvasOf, grounded, gutter, imagesOf, indented, type Piece, type PieceStyle, type Whole } from "./piece.ts";

/** Rows of a result; of what is still running; of what a person ran. */
const heights = { result: 12, live: 6, run: 20 };

export type Result = Pick<ToolResultMessage, "content" | "details" | "isError">;

/** A call, and below it what became of it. */
export interface Card extends Piece {
  call: ToolCall;
  /** What it is about and brings, as far as its arguments have arrived. */
  told(shape: PartialCall): void;
  /** What it would change, while its arguments arrive. */
  arriving(files: readonly FileChange[]): void;
  /** What it shows while it runs. */
  shows(part: Outcome): void;
  ends(result: Result): void;
  /** It will never end: its turn is over. */
  drops(): void;
}

export function cardPiece(ink: PieceStyle, call: ToolCall): Card {
  const { theme } = ink;
  let result: Result | undefined;
  let live: Result | undefined;
  let body: Streamed | undefined;
  let dropped = false;
  const card: Card = {
    call,
    get final() {
      return dropped || (result !== undefined && ink.album.ready(imagesOf(result.content)));
    },
    told(shape) {
      card.call = shape.call;
      body = shape.body;
    },
    arriving(files) {
      live = resultFields({ kind: "diff", data: { files: [...files] }, text: "" });
    },
    shows(part) {
      live = resultFields(part);
    },
    ends(with_) {
      result = with_;
      live = body = undefined;
    },
    drops() {
      dropped = true;
      body = undefined;
    },
    render(columns) {
      const inside = canvasOf(ink, columns, result ? heights.result : heights.live, card.expanded);
      const shown = result ?? live;
      const { told = "", rows } = shown
        ? shownParts(ink, shown, inside, pathOf(card.call))
        : { rows: body ? streamedRows(body, 0, inside) : [] };
      // What is too long for the head stands below it.
      const end = result && told !== "" ? (width(told) > columns / 2 ? "below" : "beside") : "nowhere";
      const after = end === "beside" ? `  ${told}` : "";
      const room = Math.max(1, columns - width(after));
      const head = callRow(card.call, { ...inside, columns: room }, sign(theme, result)) + after;
      const below = end === "below" ? [fit(told, inside.columns, theme.glyph.ellipsis)] : [];
      return [grounded(theme, groundOf(result), head, columns), ...indented([...below, ...rows])];
    },
    whole: () => wholeOf(card.call, result ?? live),
  };
  return card;
}

/** What a result says, and below it its pictures. */
function shownParts(
  { album, theme }: PieceStyle,
  result: Result,
  inside: Canvas,
  path: string | undefined,
): { told?: string; rows: string[] } {
  // Who has said no knows it: that is no fault.
  if (isDeclined(result))
    return { rows: resultRows({ ...result, isError: false }, inside).map((row) => theme.paint("dim", row)) };
  const images = imagesOf(result.content);
  if (images.length === 0) return cardParts(result, inside, path);
  const content = result.content.filter(({ type }) => type !== "image");
  const { told = "", rows } = content.length > 0 ? cardParts({ ...result, content }, inside, path) : { rows: [] };
  return { told, rows: [...rows, ...album.rows(images, inside.columns, theme)] };
}

const pathOf = ({ arguments: { path } }: ToolCall): string | undefined => (typeof path === "string" ? path : undefined);

const isDeclined = ({ details }: Result): boolean =>
  (details as { refused?: unknown } | undefined)?.refused === "person";

const groundOf = (result: Result | undefined): StyleName =>
  result && !isDeclined(result) ? (result.isError ? "toolError" : "toolSuccess") : "toolPending";

function sign(theme: Theme, result: Result | undefined): string {
  if (!result) return theme.paint("accent", theme.glyph.bullet);
  if (isDeclined(result)) return theme.paint("dim", theme.glyph.bad);
  return result.isError ? theme.paint("error", theme.glyph.bad) : theme.paint("ok", theme.glyph.bullet);
}

function wholeOf(call: ToolCall, result: Result | undefined): Whole {
  const { command, path = "" } = call.arguments as { command?: unknown; path?: unknown };
  const about = command ?? path;
  const { meta } = (result?.details ?? {}) as { meta?: { truncation?: { artifactId?: string } } };
  return {
    title: plainLine(`${call.name} ${typeof about === "string" ? about : ""}`).trim(),
    text: result ? textOf(ownContent(result)) : "",
    artifact: meta?.truncation?.artifactId,
  };
}

/** Files that were read one after the other are one piece. */
export interface Reads extends Piece {
  /** A call of theirs, as far as it is known by now. */
  put(call: ToolCall): void;
  ends(id: string, result: Result): void;
  forget(id: string): void;
  /** Nothing more joins it. */
  close(): void;
}

export function readsPiece(ink: PieceStyle): Reads {
  const { theme } = ink;
  const reads: { call: ToolCall; result?: Result }[] = [];
  let closed = false;
  const pictures = () => reads.flatMap(({ result }) => (result ? imagesOf(result.content) : []));
  const nameOf = ({ arguments: { path } }: ToolCall) =>
    plainLine(typeof path === "string" ? path : theme.glyph.ellipsis);
  const row = (read: (typeof reads)[number], columns: number) => {
    const name = nameOf(read.call);
    const brief = read.result && !read.result.isError ? theme.paint("dim", resultBrief(read.result)) : "";
    const room = Math.max(8, columns - width(brief) - 2);
    return `${fit(name, room, theme.glyph.ellipsis)}${brief === "" ? "" : `  ${brief}`}`;
  };
  return {
    put(call) {
      const known = reads.find((read) => read.call.id === call.id);
      if (known) known.call = call;
      else reads.push({ call });
    },
    ends(id, result) {
      const read = reads.find(({ call }) => call.id === id);
      if (read) read.result = result;
    },
    forget: (id) => void reads.splice(0, reads.length, ...reads.filter(({ call }) => call.id !== id)),
    close() {
      closed = true;
    },
    get final() {
      return closed && ink.album.ready(pictures());
    },
    render(columns) {
      const failed = reads.some(({ result }) => result?.isError);
      const open = reads.some(({ result }) => !result);
      const mark = open
        ? theme.paint("accent", theme.glyph.bullet)
        : failed
          ? theme.paint("error", theme.glyph.bad)
          : theme.paint("ok", theme.glyph.bullet);
      const head = `${mark} ${theme.paint("strong", "read")}`;
      const ground = open ? "toolPending" : failed ? "toolError" : "toolSuccess";
      const inside = canvasOf(ink, columns, heights.live);
      const [only] = reads;
      if (reads.length === 1 && only)
        return [
          grounded(theme, ground, `${head} ${row(only, columns - width(head) - 1)}`, columns),
          ...indented(
            only.result?.isError ? resultRows(only.result, inside) : ink.album.rows(pictures(), inside.columns, theme),
          ),
        ];
      const rows = reads.flatMap((read) => [
        row(read, inside.columns - 2),
        ...(read.result?.isError ? resultRows(read.result, inside) : []),
        ...ink.album.rows(imagesOf(read.result?.content ?? []), inside.columns - gutter, theme),
      ]);
      return [grounded(theme, ground, `${head} ${reads.length} files`, columns), ...indented(indented(rows))];
    },
    whole() {
      const last = reads.at(-1);
      return last && wholeOf(last.call, last.result);
    },
  };
}

/** A command that a person runs. */
export interface RunPiece extends Piece {
  says(streamed: Streamed): void;
  ends(run: UserRun | undefined): void;
}

export function runPiece(ink: PieceStyle, command: string, context: "in" | "out"): RunPiece {
  const { theme } = ink;
  let streamed: Streamed = { text: "", lines: 0 };
  let run: UserRun | undefined;
  let over = false;
  const piece: RunPiece = {
    get final() {
      return over;
    },
    says(more) {
      streamed = more;
    },
    ends(with_) {
      run = with_;
      over = true;
    },
    render(columns) {
      const inside = canvasOf(ink, columns, heights.run, piece.expanded);
      const mark = theme.paint("warn", context === "in" && !run?.excludeFromContext ? "!" : "!!");
      const [first = "", ...rest] = plainLine(command) === command ? [command] : command.split("\n");
      const head = fit(
        `${mark} ${theme.paint("strong", plainLine(first))}${rest.length > 0 ? ` ${theme.glyph.ellipsis}` : ""}`,
        columns,
        theme.glyph.ellipsis,
      );
      return [head, ...indented(run ? userRunRows(run, inside) : streamedRows(streamed, 0, inside))];
    },
    whole: () => ({ title: `! ${plainLine(command)}`, text: run?.output ?? streamed.text, artifact: run?.artifactId }),
  };
  return piece;
}
