import { type Undo, type UndoTurn, undoForFaces } from "@pith/coder";
import { plural } from "@pith/kit";
import { createList, diffRows, fit, type Item, type Look, oneLine, parsePatch } from "@pith/tui";
import type { Dialog, Seat } from "../../seat.ts";

/** One hunk of one file: what can be looked at, and taken back. */
interface Hunk extends Item {
  turn: UndoTurn;
  path: string;
  /** Numbered from 1, as `pith undo --hunk` takes it; 0 is a file without hunks. */
  n: number;
  patch: string;
}

type Scope = { of: "session" } | { of: "turn" } | { of: "file"; path: string };

const scopeOf = (words: string): Scope =>
  words === "" || words === "session"
    ? { of: "session" }
    : words === "turn"
      ? { of: "turn" }
      : { of: "file", path: words };

/** What the turns of this session changed, hunk by hunk; each can be taken back. */
export async function diffDialog(seat: Seat, close: () => void, words: string): Promise<Dialog> {
  const { look, coder } = seat;
  const undo = await coder?.undo();
  if (!coder || !undo) throw new Error("Undo is off here, so nothing knows what was changed.");
  await undo.settle();
  const { changesOf, undoHunk } = await undoForFaces();
  const scope = scopeOf(words);
  const load = (): Hunk[] => hunksIn(undo, coder.header.id, scope, changesOf);
  const items = load();
  if (items.length === 0) throw new Error(emptyText(scope));
  let problem: string | undefined;
  let busy = false;
  const list = createList<Hunk>({ look, items, filter: true, height: 8, choose: () => {}, cancel: close });
  async function takeBack() {
    const hunk = list.current;
    if (!hunk || busy || !undo || !coder) return;
    if (coder.scene.turn && coder.scene.turn.name !== "idle") {
      problem = "A turn runs; take it back when it is over.";
      return;
    }
    busy = true;
    const done = hunk.n > 0 ? await undoHunk(undo, hunk.turn, hunk.path, hunk.n) : whole(undo, hunk);
    problem = done.ok ? undefined : done.message;
    if (done.ok) {
      coder.note(
        `The user took back ${hunk.n > 0 ? `hunk ${hunk.n} of ` : ""}${hunk.path}. Look at it again before you go on.`,
      );
      list.items = load();
    }
    busy = false;
    seat.screen.request();
  }
  return {
    get title() {
      const whose = scope.of === "file" ? `file ${oneLine(scope.path)}` : scope.of;
      return `changes of the ${whose}: ${plural(list.items.length, "hunk")}`;
    },
    hint: "up/down  Alt+Z takes the hunk back  type to filter  Esc closes",
    input(event) {
      if (event.type === "key" && event.combo === "alt+z") {
        void takeBack();
        return "used";
      }
      return list.input?.(event) ?? "passed";
    },
    render(columns, height) {
      list.focused = true;
      const top = list.render(columns, Math.min(9, Math.max(3, Math.floor(height / 3))));
      const told = problem === undefined ? [] : [look.paint("warn", fit(oneLine(problem), columns))];
      const room = Math.max(1, height - top.length - told.length - 1);
      return [
        ...top,
        look.paint("border", look.glyph.box.h.repeat(columns)),
        ...body(list.current, look, columns, room),
        ...told,
      ];
    },
    spoken: () => list.current?.label ?? "nothing was changed",
  };
}

function body(hunk: Hunk | undefined, look: Look, columns: number, room: number): string[] {
  if (!hunk) return [look.paint("dim", "nothing is left")];
  if (hunk.patch === "") return [look.paint("dim", "no text to compare")];
  // Its list says where it stands.
  const lines = parsePatch(hunk.patch).filter(({ kind, text }) => kind !== "gap" || text !== "");
  const rows = diffRows(lines, columns, look);
  return rows.length <= room
    ? [...rows]
    : [
        ...rows.slice(0, room - 1),
        look.paint("dim", `${look.glyph.ellipsis} ${plural(rows.length - room + 1, "more row")}`),
      ];
}

function whole(undo: Undo, { turn, path }: Hunk): { ok: true } | { ok: false; message: string } {
  const { restored, left } = undo.move("undo", turn, [path.startsWith("/") ? path : `${undo.root}/${path}`]);
  return restored.length > 0 ? { ok: true } : { ok: false, message: left[0]?.why ?? "nothing was taken back" };
}

function hunksIn(
  undo: Undo,
  session: string,
  scope: Scope,
  changesOf: Awaited<ReturnType<typeof undoForFaces>>["changesOf"],
): Hunk[] {
  const own = undo.turns().filter((turn) => turn.session === session && turn.state === "done");
  const turns = scope.of === "turn" ? own.slice(-1) : own;
  return turns.toReversed().flatMap((turn) =>
    changesOf(undo, turn)
      .filter(({ path }) => scope.of !== "file" || path === scope.path || path.endsWith(`/${scope.path}`))
      .flatMap(({ path, patch, what, added, removed }): Hunk[] => {
        const hunks = what === "modified" ? patch.split(/^(?=@@ )/m).slice(1) : [];
        const asked = oneLine(turn.asked).slice(0, 60);
        if (hunks.length === 0)
          return [{ turn, path, n: 0, patch, label: `${path} (${what})`, detail: `+${added} -${removed}  ${asked}` }];
        return hunks
          .map((text, at) => ({
            turn,
            path,
            n: at + 1,
            patch: text,
            label: `${path} ${at + 1}/${hunks.length}`,
            detail: `${/^@@[^@]*@@/.exec(text)?.[0] ?? ""}  ${asked}`,
          }))
          .filter((hunk) => !isAway(hunk));
      }),
  );
}

/** Whether it was taken back already: that is a turn of its own, which says so. */
const isAway = ({ turn, path, n }: Hunk): boolean =>
  turn.hunks.some(({ state, asked }) => state === "done" && asked === `undo of hunk ${n} of ${path}`);

const emptyText = (scope: Scope): string =>
  scope.of === "file"
    ? `This session has not changed ${scope.path}.`
    : `The ${scope.of} has changed nothing that is still there.`;
