import { type Completer, type Completion, fuzzy } from "@pith/tui";
import type { Seat } from "../seat.ts";

/** What may stand where somebody types: commands and their words, files, sessions. */
export const completerFor =
  (seat: Seat): Completer =>
  async (text, cursor) => {
    const before = text.slice(0, cursor);
    if (before.startsWith("/") && !before.includes("\n")) return commands(seat, before, cursor);
    return [];
  };

async function commands({ coder }: Seat, before: string, cursor: number): Promise<Completion[]> {
  if (!coder) return [];
  const name = /^\/([\w:-]*)$/.exec(before)?.[1];
  if (name !== undefined) {
    const rows = fuzzy(coder.commands.rows, name, (row) => row.name);
    return rows.slice(0, most).map(({ item }) => ({
      label: `/${item.name}${item.usage ? ` ${item.usage}` : ""}`,
      detail: item.about,
      insert: `/${item.name}${item.usage ? " " : ""}`,
      from: 0,
      to: cursor,
    }));
  }
  const from = before.lastIndexOf(" ") + 1;
  const words = await coder.commands.complete(before);
  return words.slice(0, most).map((word) => ({ label: word, insert: word, from, to: cursor }));
}

const most = 50;
