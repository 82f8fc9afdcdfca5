import { resolve } from "node:path";
import { loadTrustable } from "@pith/coder";
import { showPath } from "@pith/kit";
import { wrap } from "@pith/tui";
import { visible } from "../../../../view/question/ask.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { pager } from "../pager.ts";

/** Shows the executable content of the project, or its changes; `y` trusts exactly that. */
export async function trustDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const { cwd, io, theme } = context;
  const { trustable, pin } = await loadTrustable();
  const { folders, items, unused } = await trustable(cwd, io.home);
  const open = items.filter(({ standing }) => standing !== "trusted");
  const text = open
    .map(({ kind, folder, name, standing, text, runs, diff }) => {
      const head = `${showPath(cwd, resolve(folder, name))} (${kind}${runs ? `; ${runs}` : ""}): ${standing}`;
      return `${head}\n${diff ?? text}`;
    })
    .join("\n");
  // Nothing is left out: invisible characters are drawn as escapes.
  const all = [text || "There is nothing that waits for a yes.", ...(unused === undefined ? [] : [unused])].join("\n");
  const lines = all.split("\n").map(visible);
  const whole = pager(theme, "what this project would run", (columns) => lines.flatMap((line) => wrap(line, columns)));
  async function yes() {
    close();
    const done = await pin(io.home, folders, items);
    context.say(
      done.ok ? "info" : "error",
      done.ok ? "Trusted as shown, from the next start of pith on." : done.message,
    );
  }
  return {
    ...whole,
    hint: open.length > 0 ? "y trusts exactly this  up/down  page up/down  Esc closes" : "Esc closes",
    input(event) {
      if (open.length === 0 || event.type !== "key" || event.combo !== "y") return whole.input?.(event) ?? "passed";
      void yes();
      return "used";
    },
  };
}
