import type { ArrivingText } from "@pith/agent";

/**
 * Reads the rows of an edit as they arrive, and hands out the text that they add: in every dialect that has rows, `+`
 * begins a line of the file. A row that was begun is handed out at once, so that nobody has to wait for its end.
 */
export class AddedRows {
  readonly #diff: boolean;
  #path: string | undefined;
  /** A section with a tag: rows without a sign are meant to stand in the file too. */
  #anchored = false;
  #row = "";
  #adds = false;

  constructor(kind: "diff" | "sections") {
    this.#diff = kind === "diff";
  }

  take(delta: string): ArrivingText[] {
    const added: ArrivingText[] = [];
    const lines = delta.split("\n");
    for (const [at, text] of lines.entries()) {
      const ends = at < lines.length - 1;
      if (this.#adds) added.push({ path: this.#path, text: ends ? `${text}\n` : text });
      else this.#begin(text, ends, added);
      if (!ends) continue;
      this.#adds = false;
      this.#row = "";
    }
    return added.filter(({ text }) => text !== "");
  }

  #begin(text: string, ends: boolean, added: ArrivingText[]): void {
    this.#row += text;
    const row = this.#row;
    // Of a diff, three signs and a space name the file: that is seen at the fourth.
    const names = this.#diff && (row.startsWith(header) || (!ends && header.startsWith(row)));
    if (row.startsWith("+") && !names) {
      this.#adds = true;
      added.push({ path: this.#path, text: ends ? `${row.slice(1)}\n` : row.slice(1) });
    } else if (ends) {
      const bare = this.#named(row.replace(/\r$/, ""));
      if (bare !== undefined) added.push({ path: this.#path, text: `${bare}\n` });
    }
  }

  /** Takes in a whole row; gives the text that it adds without a sign. */
  #named(row: string): string | undefined {
    if (this.#diff) {
      const name = /^\+\+\+ (?:b\/)?(\S.*?)(?:\t.*)?$/.exec(row)?.[1];
      if (name !== undefined && name !== "/dev/null") this.#path ??= name;
    }
    const head = row.replace(/^\s*(?:\*{3}\s*)*(?:Update File:\s*)?/, "").replace(/[\s*]*$/, "");
    const tagged = /^(?:\[([^\]]+?)(?:#[0-9A-Fa-f]*)?\]|¶\s*(\S.*?)(?:#[0-9A-Fa-f]*)?)$/.exec(head);
    const file = /^\s*\*{3}\s*(?:Add File|Update File|Move to):\s*(.+?)(?:#[0-9A-F]{4})?\s*$/.exec(row)?.[1];
    const path = file ?? tagged?.[1] ?? tagged?.[2];
    if (path !== undefined) {
      this.#path = path;
      this.#anchored = file === undefined;
      return undefined;
    }
    return this.#anchored && row.trim() !== "" && !other.test(row) ? row : undefined;
  }
}

const header = "+++ ";

/** Rows of an anchored edit that do not stand in the file afterwards. */
const other = /^(?:-|@@|\*{3})|^\s*(?:(?:replace|delete)\s+(?:block\s+)?\d|insert\s+(?:before|after|head|tail)\b)/i;
