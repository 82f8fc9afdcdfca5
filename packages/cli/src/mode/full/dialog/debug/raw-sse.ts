import { messageOf, plainText } from "@pith/kit";
import { createScrollPane, fit, oneLine, printable, wrap } from "@pith/tui";
import { silence } from "../../../../report/debug.ts";
import type { DialogResult, ScreenContext } from "../../context.ts";
import { drawnOnce } from "../pager.ts";
import { copied } from "./copy.ts";

/** Milliseconds between two frames, however fast events come. */
const everyMs = 250;

/** Shows what servers send, from the end, and follows it. */
export async function rawDialog(context: ScreenContext): Promise<DialogResult> {
  const { theme, timers, screen } = context;
  const tap = await context.coder?.report.wiretap();
  if (!tap) return "What models send is not kept here: the session lives in a server, or runs without questions.";
  let events = tap.events();
  let told = "";
  let cancel: (() => void) | undefined;
  let room = 10;
  const text = () => events.join("\n\n");
  const draw = () =>
    drawnOnce((columns) => wrap(printable(plainText(text() || silence)), columns).map((row) => row.trimEnd()));
  let rows = draw();
  const pane = createScrollPane(
    theme,
    (columns) => rows(columns),
    () => Math.max(1, room - (told === "" ? 1 : 2)),
  );
  pane.end = true;
  const listening = tap.listen(() => {
    cancel ??= timers.after(everyMs, () => {
      cancel = undefined;
      events = tap.events();
      rows = draw();
      screen.request();
    });
  });
  return {
    get title() {
      return `raw-sse: ${events.length} events${pane.end ? ", the newest" : ""}`;
    },
    hint: "up/down  page up/down  End follows  C copies all  Esc closes",
    input(event) {
      if (event.type === "key" && event.combo === "c") {
        void copied(context, text()).then(
          (said) => {
            told = said;
            screen.request();
          },
          (error) => context.say("error", plainText(messageOf(error))),
        );
        return "used";
      }
      if (event.type === "key") told = "";
      return pane.input?.(event) ?? "passed";
    },
    render(columns, height) {
      room = height;
      const said = told === "" ? [] : [theme.paint("dim", fit(oneLine(told), columns))];
      return [...pane.render(columns, height), ...said];
    },
    closed() {
      listening[Symbol.dispose]();
      cancel?.();
    },
  };
}
