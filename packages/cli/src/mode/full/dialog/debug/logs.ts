import { messageOf, plainText, plural } from "@pith/kit";
import { fit, oneLine } from "@pith/tui";
import { logLines } from "../../../../report/report.ts";
import type { DialogResult, ScreenContext } from "../../context.ts";
import { openWhole } from "../pager.ts";
import { copied } from "./copy.ts";
import { LogWindow } from "./log-window.ts";

/** More is not looked at. */
const mostLines = 5000;

/** pith's log, from its newest lines: some can be marked and copied, and those of other processes left out. */
export async function logsDialog(context: ScreenContext): Promise<DialogResult> {
  const { theme, screen } = context;
  const lines = await logLines(context.io, mostLines);
  if (lines.length === 0) return "The log is empty.";
  const log = new LogWindow(lines, process.pid);
  let told = "";
  let room = 10;
  async function copy() {
    const chosen = log.chosen();
    told = `${plural(chosen.length, "line")}: ${await copied(context, chosen.join("\n"))}`;
    screen.request();
  }
  const keys: Readonly<Record<string, () => void>> = {
    up: () => log.move(-1),
    down: () => log.move(1),
    "shift+up": () => log.move(-1, "mark"),
    "shift+down": () => log.move(1, "mark"),
    pageup: () => log.move(-room),
    pagedown: () => log.move(room),
    home: () => log.move(-mostLines),
    end: () => log.move(mostLines),
    space: () => log.mark(),
    o: () => log.older(),
    p: () => log.filter(),
    c: () => void copy().catch((error) => context.say("error", plainText(messageOf(error)))),
    enter: () => void context.open(openWhole(theme, { title: "log line", text: log.current ?? "" })),
  };
  return {
    get title() {
      const whose = log.own ? `, only of process ${process.pid}` : "";
      return `log: ${log.rows.length} of ${plural(log.count, "line")}${whose}`;
    },
    hint: "up/down  O older  Space marks  C copies  P only this process  Enter shows it whole  Esc closes",
    input(event) {
      if (event.type !== "key") return "passed";
      told = "";
      // The first Escape takes a mark away.
      if (event.combo === "escape" && log.unmark()) return "used";
      const act = keys[event.combo];
      act?.();
      return act ? "used" : "passed";
    },
    render(columns, height) {
      room = Math.max(1, height - 1);
      const { first, rows } = log.seen(room);
      if (rows.length === 0) return [theme.paint("dim", "  this process has logged nothing")];
      const drawn = rows.map((line, i) => {
        const sign = log.at === first + i ? theme.glyph.pointer : log.isMarked(first + i) ? theme.glyph.bullet : " ";
        const text = fit(`${sign} ${briefly(line)}`, columns, theme.glyph.ellipsis);
        return log.at === first + i ? theme.paint("selected", text.padEnd(columns)) : text;
      });
      return told === "" ? drawn : [...drawn, theme.paint("dim", fit(oneLine(told), columns))];
    },
    spoken() {
      const count = log.marking ? `${plural(log.chosen().length, "line")} marked: ` : "";
      return oneLine(told === "" ? `${count}${briefly(log.current ?? "nothing is logged")}` : told);
    },
  };
}

/** A line may be as long as the log. */
const briefly = (line: string): string => oneLine(plainText(line.slice(0, 2000)));
