import { type FileChange, kindOf, type Outcome, ownContent, resultFields, textOf } from "@pith/agent";
import type { ToolCall, ToolResultMessage } from "@pith/llm";
import { fit, type StyleName, type Theme, width } from "@pith/tui";
import { callRow } from "../../../view/call.ts";
import { type Canvas, plainLine } from "../../../view/canvas.ts";
import { codeIn } from "../../../view/kind/diff.ts";
import type { PartialCall } from "../../../view/partial-call.ts";
import { type Streamed, streamedRows } from "../../../view/user-run.ts";
import { cardParts, resultRows } from "../../../view/view.ts";
import { canvasOf, grounded, heights, imagesOf, indented, type Piece, type PieceStyle, type Whole } from "./piece.ts";

export type Result = Pick<ToolResultMessage, "content" | "details" | "isError">;

/** A call with what it shows while it runs, and its result. */
export class Card implements Piece {
  call: ToolCall;
  expanded?: boolean;
  readonly #style: PieceStyle;
  #result: Result | undefined;
  #live: Result | undefined;
  /** The text that its arguments bring. */
  #body: Streamed | undefined;
  #dropped = false;

  constructor(style: PieceStyle, call: ToolCall) {
    this.#style = style;
    this.call = call;
  }

  get final(): boolean {
    if (this.#dropped) return true;
    const { album, code } = this.#style;
    return this.#result !== undefined && album.ready(imagesOf(this.#result.content)) && !code?.waiting;
  }

  /** Takes the arguments that have arrived. */
  shapes({ call, body }: PartialCall): void {
    this.call = call;
    this.#body = body;
  }

  /** Shows what an edit would change, while its arguments arrive. */
  arriving(files: readonly FileChange[]): void {
    this.#live = resultFields({ kind: "diff", data: { files: [...files] }, text: "" });
  }

  /** Shows a part of the outcome, while it runs. */
  shows(part: Outcome): void {
    this.#live = resultFields(part);
  }

  ends(result: Result): void {
    this.#result = result;
    this.#live = this.#body = undefined;
    // A card that is final is not drawn again when the colours of its code arrive.
    const { code } = this.#style;
    for (const path of changedPaths(result)) void code?.load(codeIn(path, code)?.language ?? "");
  }

  /** Makes the card final without a result: its turn is over. */
  drops(): void {
    this.#dropped = true;
    this.#body = undefined;
  }

  render(columns: number): string[] {
    const { theme } = this.#style;
    const result = this.#result;
    const inside = canvasOf(this.#style, columns, result ? heights.result : heights.live, this.expanded);
    const { told = "", rows } = this.#parts(inside);
    // Words that are too long for the head stand below it.
    const end = result && told !== "" ? (width(told) > columns / 2 ? "below" : "beside") : "nowhere";
    const after = end === "beside" ? `  ${told}` : "";
    const room = Math.max(1, columns - width(after));
    const head = callRow(this.call, { ...inside, columns: room }, sign(theme, result)) + after;
    const below = end === "below" ? [fit(told, inside.columns, theme.glyph.ellipsis)] : [];
    return [grounded(theme, groundOf(result), head, columns), ...indented([...below, ...rows])];
  }

  whole(): Whole {
    return wholeOf(this.call, this.#result ?? this.#live);
  }

  /** The words for the head and the rows below it, pictures last. */
  #parts(inside: Canvas): { told?: string; rows: string[] } {
    const { album, theme } = this.#style;
    const result = this.#result ?? this.#live;
    if (!result) return { rows: this.#body ? streamedRows(this.#body, 0, inside) : [] };
    // A call that a person has refused is no fault.
    if (isDeclined(result))
      return { rows: resultRows({ ...result, isError: false }, inside).map((row) => theme.paint("dim", row)) };
    const { path } = this.call.arguments;
    const images = imagesOf(result.content);
    const content = images.length > 0 ? result.content.filter(({ type }) => type !== "image") : result.content;
    const empty = images.length > 0 && content.length === 0;
    const text = { ...result, content };
    const parts = empty ? { rows: [] } : cardParts(text, inside, typeof path === "string" ? path : undefined);
    return { ...parts, rows: [...parts.rows, ...album.rows(images, inside.columns, theme)] };
  }
}

/** The paths of a diff; another program's record may hold anything. */
function changedPaths({ details }: Result): string[] {
  const { files } = (details ?? {}) as { files?: unknown };
  const listed: readonly unknown[] = kindOf(details) === "diff" && Array.isArray(files) ? files : [];
  return listed.flatMap((file) => {
    const path = (file as Partial<FileChange> | null)?.path;
    return typeof path === "string" ? [path] : [];
  });
}

const isDeclined = ({ details }: Result): boolean =>
  (details as { refused?: unknown } | undefined)?.refused === "person";

const groundOf = (result: Result | undefined): StyleName =>
  result && !isDeclined(result) ? (result.isError ? "toolError" : "toolSuccess") : "toolPending";

function sign(theme: Theme, result: Result | undefined): string {
  if (!result) return theme.paint("accent", theme.glyph.bullet);
  if (isDeclined(result)) return theme.paint("dim", theme.glyph.bad);
  return result.isError ? theme.paint("error", theme.glyph.bad) : theme.paint("ok", theme.glyph.bullet);
}

/** All of a result, under the title of its call. */
export function wholeOf(call: ToolCall, result: Result | undefined): Whole {
  const { command, path = "" } = call.arguments as { command?: unknown; path?: unknown };
  const about = command ?? path;
  const { meta } = (result?.details ?? {}) as { meta?: { truncation?: { artifactId?: string } } };
  return {
    title: plainLine(`${call.name} ${typeof about === "string" ? about : ""}`).trim(),
    text: result ? textOf(ownContent(result)) : "",
    artifact: meta?.truncation?.artifactId,
  };
}
