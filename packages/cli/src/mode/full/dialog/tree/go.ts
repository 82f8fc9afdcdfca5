import type { OutlineRow } from "@pith/agent";
import type { Summary } from "@pith/coder";
import { createEditor, createList, type ListItem } from "@pith/tui";
import type { Dialog, MakeDialog, Seat } from "../../context.ts";

interface Way extends ListItem {
  summary: Summary | "custom";
}

const ways: readonly Way[] = [
  { label: "No summary", summary: "none" },
  { label: "Summarize", detail: "what is left behind, for the model", summary: "own" },
  { label: "Summarize with custom prompt", summary: "custom" },
];

/** A place to go to, and the way back to the tree. */
export interface Going {
  row: OutlineRow;
  tree: MakeDialog;
}

/** Goes to a place of the tree. What was said there by a person goes to the composer, to be said in another way. */
export async function go(seat: Seat, going: Going, close: () => void): Promise<void> {
  if (going.row.leaf) {
    close();
    seat.say("info", "Already at this point.");
  } else await seat.open((_, shut) => choice(seat, going, shut));
}

function choice(seat: Seat, going: Going, close: () => void): Dialog {
  const list = createList<Way>({
    theme: seat.theme,
    items: ways,
    choose([way]) {
      if (!way) return;
      if (way.summary === "custom") void seat.open((_, shut) => prompt(seat, going, shut));
      else {
        close();
        void move(seat, going, way.summary);
      }
    },
    cancel: () => void seat.open(going.tree),
  });
  return Object.assign(list, { title: "what is left behind", hint: "Enter goes  Esc goes back", rows: 4 });
}

function prompt(seat: Seat, going: Going, close: () => void): Dialog {
  const editor = createEditor({
    theme: seat.theme,
    timers: seat.timers,
    single: true,
    frame: "none",
    maxRows: 1,
    cursor: seat.can.cursor,
    submit({ text }) {
      close();
      void move(seat, going, text.trim() === "" ? "own" : { instructions: text.trim() });
    },
  });
  return {
    title: "what shall the summary be about?",
    hint: "Enter goes  Esc goes back",
    rows: 1,
    input(event) {
      if (event.type === "key" && event.combo === "escape") {
        void seat.open((_, shut) => choice(seat, going, shut));
        return "used";
      }
      return editor.input?.(event) ?? "passed";
    },
    render(columns, height) {
      editor.focused = true;
      return editor.render(columns, height);
    },
  };
}

async function move(seat: Seat, { row, tree }: Going, summary: Summary): Promise<void> {
  const { coder } = seat;
  if (!coder) return;
  const stop = new AbortController();
  let shut = () => {};
  if (summary !== "none")
    await seat.open((_, close) => {
      shut = close;
      return waiting(stop);
    });
  const gone = await coder.walk.go(row.entry.id, summary, stop.signal);
  shut();
  if (stop.signal.aborted || gone.done === "cancelled") {
    if (!stop.signal.aborted) seat.say("warn", "There is no summary; nothing has moved.");
    await seat.open(tree);
    return;
  }
  // Before it is painted: nothing else would make it seen.
  if (gone.done === "moved" && gone.text !== undefined) seat.composer.text = gone.text;
  seat.repaint();
}

/** While a summary is made; Escape leaves everything as it was. */
function waiting(stop: AbortController): Dialog {
  return {
    title: "summing up what is left behind",
    hint: "Esc stops it",
    rows: 1,
    input(event) {
      if (event.type === "key" && (event.combo === "escape" || event.combo === "ctrl+c")) stop.abort("stopped");
      return "used";
    },
    render: () => [" one moment"],
  };
}
