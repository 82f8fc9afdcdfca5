import type { OutlineRow } from "@pith/agent";
import type { Summary } from "@pith/coder";
import { createEditor, createList, type ListItem } from "@pith/tui";
import type { Dialog, MakeDialog, ScreenContext } from "../../context.ts";

interface Way extends ListItem {
  summary: Summary | "custom";
}

const ways: readonly Way[] = [
  { label: "No summary", summary: "none" },
  { label: "Summarize", detail: "what is left behind, for the model", summary: "own" },
  { label: "Summarize with custom prompt", summary: "custom" },
];

/** A place to go to, and the way back to the tree. */
export interface Destination {
  row: OutlineRow;
  tree: MakeDialog;
}

/** Goes to a place of the tree; a person's text there is put into the composer, to be changed. */
export async function go(context: ScreenContext, going: Destination, close: () => void): Promise<void> {
  if (going.row.leaf) {
    close();
    context.say("info", "Already at this point.");
  } else if (!context.settings.get("branchSummary.enabled")) {
    close();
    await move(context, going, "none");
  } else await context.open((_, shut) => choice(context, going, shut));
}

function choice(context: ScreenContext, going: Destination, close: () => void): Dialog {
  const list = createList<Way>({
    theme: context.theme,
    items: ways,
    choose({ summary }) {
      if (summary === "custom") void context.open((_, shut) => prompt(context, going, shut));
      else {
        close();
        void move(context, going, summary);
      }
    },
    cancel: () => void context.open(going.tree),
  });
  return Object.assign(list, { title: "what is left behind", hint: "Enter goes  Esc goes back", rows: 4 });
}

function prompt(context: ScreenContext, going: Destination, close: () => void): Dialog {
  const editor = createEditor({
    theme: context.theme,
    timers: context.timers,
    single: true,
    frame: "none",
    maxRows: 1,
    cursor: context.can.cursor,
    submit({ text }) {
      close();
      void move(context, going, text.trim() === "" ? "own" : { instructions: text.trim() });
    },
  });
  return {
    title: "what shall the summary be about?",
    hint: "Enter goes  Esc goes back",
    rows: 1,
    input(event) {
      if (event.type === "key" && event.combo === "escape") {
        void context.open((_, shut) => choice(context, going, shut));
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

async function move(context: ScreenContext, { row, tree }: Destination, summary: Summary): Promise<void> {
  const { coder } = context;
  if (!coder) return;
  const stop = new AbortController();
  let shut = () => {};
  if (summary !== "none")
    await context.open((_, close) => {
      shut = close;
      return waiting(stop);
    });
  const gone = await coder.walk.go(row.entry.id, summary, stop.signal);
  shut();
  if (stop.signal.aborted || gone.done === "cancelled") {
    if (!stop.signal.aborted) context.say("warn", "There is no summary; nothing has moved.");
    await context.open(tree);
    return;
  }
  // Set before the frame: nothing else would ask for one.
  if (gone.done === "moved" && gone.text !== undefined) context.composer.text = gone.text;
  context.repaint();
}

/** Waits for a summary; Escape stops it. */
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
