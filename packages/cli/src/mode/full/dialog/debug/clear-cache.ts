import { formatBytes, plainText, plural } from "@pith/kit";
import { createList, type ListItem } from "@pith/tui";
import { cleared, noneOld, oldIn } from "../../../../report/debug.ts";
import type { Opening, Seat } from "../../context.ts";

interface Answer extends ListItem {
  means: "yes" | "no";
}

/** Outputs that nobody has touched for long; they go when a person says so. */
export function clearDialog(seat: Seat, close: () => void): Opening {
  const old = oldIn(seat);
  if (old.length === 0) return noneOld;
  const bytes = formatBytes(old.reduce((sum, one) => sum + one.bytes, 0));
  const list = createList<Answer>({
    theme: seat.theme,
    items: [
      { means: "no", label: "No", detail: "leave them" },
      { means: "yes", label: "Yes", detail: `remove ${plural(old.length, "folder")} (${bytes}); the sessions stay` },
    ],
    choose([answer]) {
      close();
      if (answer?.means !== "yes") return;
      const done = cleared(seat);
      seat.say(done.ok ? "info" : "error", plainText(done.ok ? done.value : done.message));
    },
    cancel: close,
  });
  return Object.assign(list, {
    title: `remove outputs of ${plural(old.length, "session")} that are older than 30 days?`,
    hint: "Enter answers  Esc leaves them",
    rows: 3,
  });
}
