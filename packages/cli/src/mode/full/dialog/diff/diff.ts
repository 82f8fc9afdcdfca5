import { undoForFaces } from "@pith/coder";
import { createList, createScrollPane, diffRows, fit, oneLine, parsePatch } from "@pith/tui";
import type { Dialog, DialogResult, ScreenContext } from "../../context.ts";
import { indented } from "../indent.ts";
import { emptyText, type Hunk, hunksIn, scopeOf, takenBack, titleOf } from "./hunk.ts";

/** What the turns of this session changed, hunk by hunk; each can be taken back. */
export async function diffDialog(context: ScreenContext, close: () => void, words: string): Promise<DialogResult> {
  const { theme, coder } = context;
  const undo = await coder?.undo();
  if (!coder || !undo) throw new Error("Undo is off here, so nothing knows what was changed.");
  await undo.settle();
  const { changesOf, undoHunk } = await undoForFaces();
  const scope = scopeOf(words, undo, context.cwd, context.io.userHome);
  const load = (): Hunk[] => hunksIn(undo, coder.header.id, scope, changesOf);
  const items = load();
  if (items.length === 0) return emptyText(scope);
  let told: { text: string; failed: boolean } | undefined;
  let busy = false;
  const list = createList<Hunk>({ theme, items, filter: true, height: 8, empty: "", choose: () => {}, cancel: close });
  let room = 1;
  let drawn: { hunk: Hunk; columns: number; rows: readonly string[] } | undefined;
  /** What the chosen one changed; another one is shown from its beginning. */
  const body = createScrollPane(
    theme,
    (columns) => {
      const hunk = list.current;
      if (!hunk) return [theme.paint("dim", list.items.length === 0 ? "nothing is left" : "nothing found")];
      if (hunk.patch === "") return [theme.paint("dim", "no text to compare")];
      if (drawn?.hunk === hunk && drawn.columns === columns) return drawn.rows;
      if (drawn?.hunk.id !== hunk.id) body.top = 0;
      // Its list says where it stands.
      const lines = parsePatch(hunk.patch).filter(({ kind, text }) => kind !== "gap" || text !== "");
      drawn = { hunk, columns, rows: diffRows(lines, columns, theme) };
      return drawn.rows;
    },
    () => Math.max(1, room - 1),
  );
  async function takeBack() {
    const hunk = list.current;
    if (!hunk || busy || !undo || !coder) return;
    if (coder.scene.turn && coder.scene.turn.name !== "idle") {
      told = { text: "A turn runs; take it back when it is over.", failed: true };
      return;
    }
    busy = true;
    const done = await takenBack(undo, hunk, undoHunk);
    const what = hunk.n > 0 ? `hunk ${hunk.n} of ${hunk.path}` : hunk.path;
    told = done.ok ? { text: `Taken back: ${what}.`, failed: false } : { text: done.message, failed: true };
    if (done.ok) {
      coder.note(`The user took back ${what}. Look at it again before you go on.`);
      list.items = load();
    }
    busy = false;
    context.screen.request();
  }
  return {
    get title() {
      return titleOf(scope, list.items.length);
    },
    hint: "up/down  Alt+Z takes the hunk back  page up/down  type to filter  Esc closes",
    input(event) {
      if (event.type === "mouse" || (event.type === "key" && event.combo.startsWith("page")))
        return body.input?.(event) ?? "passed";
      told = undefined;
      if (event.type === "key" && event.combo === "alt+z") {
        void takeBack();
        return "used";
      }
      return list.input?.(event) ?? "passed";
    },
    render(columns, height) {
      list.focused = true;
      const top = list.render(columns, Math.min(9, Math.max(3, Math.floor(height / 3))));
      const said = told ? [`  ${theme.paint(told.failed ? "warn" : "ok", fit(oneLine(told.text), columns - 2))}`] : [];
      room = Math.max(1, height - top.length - said.length - 1);
      return [...top, "", ...indented(columns, (wide) => body.render(wide, room)), ...said];
    },
    spoken: () => `${told ? `${told.text} ` : ""}${list.current?.label ?? "nothing was changed"}`,
  } satisfies Dialog;
}
