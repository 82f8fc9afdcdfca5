import { historyFile, openHistory } from "@pith/coder";
import { createList, type ListItem } from "@pith/tui";
import type { Dialog, ScreenContext } from "../../context.ts";

interface Typed extends ListItem {
  prompt: string;
}

const most = 500;

/** Lists prompts of all sessions; Enter takes one into the composer. */
export async function historyDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const { home, clock } = context.io;
  const kept = await openHistory(historyFile(home), clock);
  const items = kept.recent(most).map(({ prompt, cwd }): Typed => {
    const [first = "", ...more] = prompt.split("\n");
    return {
      prompt,
      label: more.length > 0 ? `${first} (+${more.length} lines)` : first,
      keywords: prompt,
      detail: cwd === context.cwd ? "" : (cwd ?? ""),
    };
  });
  const list = createList<Typed>({
    theme: context.theme,
    items,
    filter: true,
    height: 12,
    empty: "nothing was typed like that",
    choose({ prompt }) {
      close();
      context.composer.text = prompt;
    },
    cancel: close,
  });
  return Object.assign(list, {
    title: "typed before",
    hint: "Enter takes it  Esc closes",
    rows: 14,
    closed: () => void kept.close(),
  });
}
