import { isAbsolute, relative, resolve } from "node:path";
import type { Undo, UndoTurn, undoForFaces } from "@pith/coder";
import { expandHome, plural } from "@pith/kit";
import { type ListItem, oneLine } from "@pith/tui";

type ForFaces = Awaited<ReturnType<typeof undoForFaces>>;

/** A hunk of a file, or a whole file without hunks. */
export interface Hunk extends ListItem {
  turn: UndoTurn;
  path: string;
  /** Numbered from 1, as `pith undo --hunk` takes it; 0 is a file without hunks. */
  n: number;
  patch: string;
}

export type DiffScope = { of: "session" } | { of: "turn" } | { of: "file"; path: string };

/** Reads the words behind `/diff`; a file is named from the directory, by its end, or in full. */
export function scopeOf(words: string, { root }: Undo, cwd: string, userHome: string): DiffScope {
  if (words === "" || words === "session") return { of: "session" };
  if (words === "turn") return { of: "turn" };
  const full = resolve(cwd, expandHome(words, userHome));
  const inside = relative(root, full);
  return { of: "file", path: inside.startsWith("..") || isAbsolute(inside) ? full : inside };
}

export function hunksIn(undo: Undo, session: string, scope: DiffScope, changesOf: ForFaces["changesOf"]): Hunk[] {
  const own = undo.turns().filter((turn) => turn.session === session && turn.state === "done");
  const turns = scope.of === "turn" ? own.slice(-1) : own;
  return turns.toReversed().flatMap((turn) =>
    changesOf(undo, turn)
      .filter(({ path }) => scope.of !== "file" || path === scope.path || path.endsWith(`/${scope.path}`))
      .flatMap(({ path, patch, what, added, removed }): Hunk[] => {
        const hunks = what === "modified" ? patch.split(/^(?=@@ )/m).slice(1) : [];
        const asked = oneLine(turn.asked).slice(0, 60);
        const one = (n: number, text: string, label: string, facts: string): Hunk => {
          return { turn, path, n, patch: text, id: `${turn.id} ${n} ${path}`, label, detail: `${facts}, ${asked}` };
        };
        if (hunks.length === 0) return [one(0, patch, `${path} (${what})`, `+${added} -${removed}`)];
        return hunks.map((text, at) => one(at + 1, text, `${path} ${at + 1}/${hunks.length}`, factsOf(text)));
      })
      .filter((hunk) => !isAway(hunk)),
  );
}

/** The line of a hunk in its file, and its size. */
function factsOf(hunk: string): string {
  const [head = "", ...lines] = hunk.split("\n");
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const first =
    Number(/\+(\d+)/.exec(head)?.[1] ?? 1) +
    Math.max(
      0,
      lines.findIndex((line) => /^[+-]/.test(line)),
    );
  return `line ${first} +${count("+")} -${count("-")}`;
}

/** True for what was taken back or kept already: a hunk has a turn of its own that says so, a file is listed. */
const isAway = ({ turn, path, n }: Hunk): boolean =>
  turn.away.has(path) ||
  turn.kept.has(path) ||
  turn.hunks.some(({ state, asked }) => state === "done" && asked === `undo of hunk ${n} of ${path}`);

/** Takes a hunk or file back, or says why that cannot be. */
export async function takenBack(
  undo: Undo,
  { turn, path, n }: Hunk,
  undoHunk: ForFaces["undoHunk"],
): Promise<{ ok: true } | { ok: false; message: string }> {
  if (n > 0) return undoHunk(undo, turn, path, n);
  const { restored, left } = undo.move("undo", turn, [isAbsolute(path) ? path : resolve(undo.root, path)]);
  if (restored.length > 0) return { ok: true };
  const why = left[0]?.why ?? "it is no longer as this turn left it";
  return { ok: false, message: `${path}: ${why}; nothing was taken back` };
}

export const titleOf = (scope: DiffScope, count: number): string =>
  `changes of the ${scope.of === "file" ? `file ${oneLine(scope.path)}` : scope.of}: ${plural(count, "hunk")}`;

export const emptyText = (scope: DiffScope): string =>
  scope.of === "file"
    ? `This session has not changed ${scope.path}.`
    : `The ${scope.of} has changed nothing that is still there.`;
