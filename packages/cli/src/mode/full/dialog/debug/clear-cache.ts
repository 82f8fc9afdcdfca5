import { formatBytes, plainText, plural } from "@pith/kit";
import { createList, type ListItem } from "@pith/tui";
import { clearOutputs, noneOld, oldOutputs } from "../../../../report/debug.ts";
import type { DialogResult, ScreenContext } from "../../context.ts";

interface Answer extends ListItem {
  means: "yes" | "no";
}

/** Outputs that nobody has touched for long; they go when a person says so. */
export function clearDialog(context: ScreenContext, close: () => void): DialogResult {
  const old = oldOutputs(context);
  if (old.length === 0) return noneOld;
  const bytes = formatBytes(old.reduce((sum, one) => sum + one.bytes, 0));
  const list = createList<Answer>({
    theme: context.theme,
    items: [
      { means: "no", label: "No", detail: "leave them" },
      { means: "yes", label: "Yes", detail: `remove ${plural(old.length, "folder")} (${bytes}); the sessions stay` },
    ],
    choose([answer]) {
      close();
      if (answer?.means !== "yes") return;
      const done = clearOutputs(context);
      context.say(done.ok ? "info" : "error", plainText(done.ok ? done.value : done.message));
    },
    cancel: close,
  });
  return Object.assign(list, {
    title: `remove outputs of ${plural(old.length, "session")} that are older than 30 days?`,
    hint: "Enter answers  Esc leaves them",
    rows: 3,
  });
}
