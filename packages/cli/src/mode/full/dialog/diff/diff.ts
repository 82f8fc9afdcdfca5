import { undoForFaces } from "@pith/coder";
import { createList, diffRows, parsePatch } from "@pith/tui";
import { codeIn } from "../../../../view/kind/diff.ts";
import type { Dialog, DialogResult, ScreenContext } from "../../context.ts";
import { SplitView } from "../split.ts";
import { emptyText, type Hunk, hunksIn, scopeOf, takenBack, titleOf } from "./hunk.ts";

/** Lists what the turns of this session have changed, hunk by hunk, to take hunks back. */
export async function diffDialog(context: ScreenContext, close: () => void, words: string): Promise<DialogResult> {
  const { theme, coder } = context;
  const undo = await coder?.undo();
  if (!coder || !undo) throw new Error("Undo is off here, so nothing knows what was changed.");
  await undo.settle();
  const { changesOf, undoHunk } = await undoForFaces();
  const scope = scopeOf(words, undo, context.cwd, context.io.userHome);
  const load = () => hunksIn(undo, coder.header.id, scope, changesOf);
  const items = load();
  if (items.length === 0) return emptyText(scope);
  const list = createList<Hunk>({ theme, items, filter: true, height: 8, empty: "", cancel: close });
  const draw = hunkRows(context, () => (list.items.length === 0 ? "nothing is left" : "nothing found"));
  const split = new SplitView({ theme, list, listRows: { least: 3, most: 9 }, from: "top", draw });
  let busy = false;
  async function takeBack(hunk: Hunk | undefined): Promise<void> {
    if (!hunk || busy || !undo || !coder) return;
    if (coder.scene.turn && coder.scene.turn.name !== "idle") {
      split.message = { text: "A turn runs; take it back when it is over.", failed: true };
      return;
    }
    busy = true;
    const done = await takenBack(undo, hunk, undoHunk);
    const what = hunk.n > 0 ? `hunk ${hunk.n} of ${hunk.path}` : hunk.path;
    split.message = { text: done.ok ? `Taken back: ${what}.` : done.message, failed: !done.ok };
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
      if (event.type !== "key" || event.combo !== "alt+z") return split.input(event);
      void takeBack(list.current);
      return "used";
    },
    render: (columns, height) => split.render(columns, height),
    spoken: () => `${split.message?.text ?? ""} ${list.current?.label ?? "nothing was changed"}`.trim(),
  } satisfies Dialog;
}

/** Draws a hunk, and again only for another hunk or width. */
function hunkRows({ theme, view }: ScreenContext, empty: () => string) {
  const { code } = view.style;
  let drawn: { hunk: Hunk; columns: number; arrived: number | undefined; rows: readonly string[] } | undefined;
  return (hunk: Hunk | undefined, columns: number): readonly string[] => {
    if (!hunk) return [theme.paint("dim", empty())];
    if (hunk.patch === "") return [theme.paint("dim", "no text to compare")];
    const arrived = code?.arrived;
    if (drawn?.hunk === hunk && drawn.columns === columns && drawn.arrived === arrived) return drawn.rows;
    // The list names the place of the hunk.
    const lines = parsePatch(hunk.patch).filter(({ kind, text }) => kind !== "gap" || text !== "");
    drawn = { hunk, columns, arrived, rows: diffRows(lines, columns, theme, "auto", codeIn(hunk.path, code)) };
    return drawn.rows;
  };
}
