import type { Event } from "@pith/agent";
import { isUserRun, type UserRun } from "../../../view/user-run.ts";
import { type RunPiece, runPiece } from "./card.ts";
import type { Address, PieceList, PieceStyle } from "./piece.ts";

/** What a person runs in the shell: pieces that grow while it runs and are found in the record afterwards. */
export class Runs {
  readonly #ink: PieceStyle;
  readonly #sheet: PieceList;
  readonly #running = new Map<string, RunPiece>();
  /** Those that have ended and wait for their place in the record. */
  readonly #ended: RunPiece[] = [];

  constructor(ink: PieceStyle, sheet: PieceList) {
    this.#ink = ink;
    this.#sheet = sheet;
  }

  hear({ id, command, text, lines = 0, run }: Extract<Event, { type: "output" }>): void {
    let piece = this.#running.get(id);
    if (!piece) {
      piece = runPiece(this.#ink, command, "in");
      this.#running.set(id, piece);
      this.#sheet.add(piece);
    }
    if (text !== undefined) {
      piece.says({ text, lines });
      return;
    }
    this.#running.delete(id);
    const ended = run as UserRun | undefined;
    piece.ends(ended);
    // Its place in the record may come much later than its end.
    if (ended) this.#ended.push(piece);
    this.#sheet.settle(piece, () => (ended ? ranPiece(this.#ink, ended) : undefined));
  }

  recorded(run: UserRun, id: string): void {
    const address: Address = () => {
      const entry = this.#sheet.entry(id);
      return entry && isUserRun(entry) ? ranPiece(this.#ink, entry.message) : undefined;
    };
    const ended = this.#ended.shift();
    if (ended) this.#sheet.settle(ended, address);
    else this.#sheet.add(ranPiece(this.#ink, run), address);
  }
}

function ranPiece(ink: PieceStyle, run: UserRun): RunPiece {
  const piece = runPiece(ink, run.command ?? "", run.excludeFromContext ? "out" : "in");
  piece.ends(run);
  return piece;
}
