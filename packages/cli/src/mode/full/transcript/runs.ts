import type { Event } from "@pith/agent";
import { fit } from "@pith/tui";
import { plainLine } from "../../../view/canvas.ts";
import { isUserRun, type Streamed, streamedRows, type UserRun, userRunRows } from "../../../view/user-run.ts";
import { canvasOf, heights, indented, type Piece, type PieceList, type PieceStyle, type Whole } from "./piece.ts";

/** A shell command of a person, with its output. */
class RunPiece implements Piece {
  readonly #style: PieceStyle;
  readonly #command: string;
  expanded?: boolean;
  final = false;
  streamed: Streamed = { text: "", lines: 0 };
  #run: UserRun | undefined;

  constructor(style: PieceStyle, command: string) {
    this.#style = style;
    this.#command = command;
  }

  ends(run: UserRun | undefined): this {
    this.#run = run;
    this.final = true;
    return this;
  }

  render(columns: number): string[] {
    const { theme } = this.#style;
    const run = this.#run;
    const inside = canvasOf(this.#style, columns, heights.run, this.expanded);
    const mark = theme.paint("warn", run?.excludeFromContext ? "!!" : "!");
    const [first = "", ...rest] = this.#command.split("\n");
    const more = rest.length > 0 ? ` ${theme.glyph.ellipsis}` : "";
    const head = fit(`${mark} ${theme.paint("strong", plainLine(first))}${more}`, columns, theme.glyph.ellipsis);
    return [head, ...indented(run ? userRunRows(run, inside) : streamedRows(this.streamed, 0, inside))];
  }

  whole(): Whole {
    const text = this.#run?.output ?? this.streamed.text;
    return { title: `! ${plainLine(this.#command)}`, text, artifact: this.#run?.artifactId };
  }
}

/** Shell commands of a person: pieces that grow while a command runs, and are found in the record afterwards. */
export class Runs {
  readonly #style: PieceStyle;
  readonly #list: PieceList;
  readonly #running = new Map<string, RunPiece>();
  /** Commands that have ended and are not in the record yet. */
  readonly #ended: RunPiece[] = [];

  constructor(style: PieceStyle, list: PieceList) {
    this.#style = style;
    this.#list = list;
  }

  hear({ id, command, text, lines = 0, run }: Extract<Event, { type: "output" }>): void {
    let piece = this.#running.get(id);
    if (!piece) {
      piece = new RunPiece(this.#style, command);
      this.#running.set(id, piece);
      this.#list.add(piece);
    }
    if (text !== undefined) {
      piece.streamed = { text, lines };
      return;
    }
    this.#running.delete(id);
    const ended = run as UserRun | undefined;
    piece.ends(ended);
    // The record may get a command much later than its end.
    if (ended) this.#ended.push(piece);
    this.#list.settle(piece, () => ended && this.#ran(ended));
  }

  recorded(run: UserRun, id: string): void {
    const address = () => {
      const entry = this.#list.entry(id);
      return entry && isUserRun(entry) ? this.#ran(entry.message) : undefined;
    };
    const ended = this.#ended.shift();
    if (ended) this.#list.settle(ended, address);
    else this.#list.add(this.#ran(run), address);
  }

  #ran(run: UserRun): RunPiece {
    return new RunPiece(this.#style, run.command ?? "").ends(run);
  }
}
