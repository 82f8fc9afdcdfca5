import type { Job } from "@pith/coder";
import { messageOf, plainText, plural } from "@pith/kit";
import { createList, createScrollPane, fit, type ListItem, oneLine, printable, type Theme } from "@pith/tui";
import { secondsOf } from "../../../../view/kind/run.ts";
import { performed } from "../../action/perform.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { indented } from "../indent.ts";

interface JobItem extends ListItem {
  job: Job;
}

/** Only the end of an output is looked at, however much there is. */
const tailChars = 64 * 1024;
const everyMs = 250;

/** What goes on beside the conversation: a list, the end of what the chosen one writes, and what can be done about it. */
export function jobsDialog(context: ScreenContext, close: () => void): Dialog {
  const { theme, coder, timers, io } = context;
  if (!coder) throw new Error("There is no session yet.");
  const itemOf = (job: Job): JobItem => {
    const ms = (job.endedAt ?? io.clock.now()) - job.startedAt;
    return { job, id: job.id, label: `${job.id} ${job.status}`, detail: `${secondsOf(ms)}: ${job.label}` };
  };
  const all = () => coder.jobs().map(itemOf);
  const isRunning = ({ job }: JobItem) => job.status === "running";
  const list = createList<JobItem>({
    theme,
    items: all(),
    height: 6,
    empty: "there are no background jobs",
    choose: () => {},
    cancel: close,
  });
  let told: { text: string; failed: boolean } | undefined;
  let busy = false;
  let cancel = () => {};
  /** Drawn again by itself only as long as something runs. */
  function follow() {
    cancel();
    list.items = all();
    if (list.items.some(isRunning))
      cancel = timers.after(everyMs, () => {
        follow();
        context.screen.request();
      });
  }
  async function act(verb: "cancel" | "detach") {
    const item = list.current;
    if (!item || busy) return;
    busy = true;
    try {
      const outcome = await performed(context, `/jobs ${verb} ${item.job.id}`);
      told = outcome && { text: outcome.text, failed: outcome.failed === true };
    } catch (error) {
      told = { text: messageOf(error), failed: true };
    }
    busy = false;
    follow();
    context.screen.request();
  }
  const keys: Readonly<Record<string, "cancel" | "detach">> = { "alt+c": "cancel", "alt+d": "detach" };
  let room = 1;
  let shownId: string | undefined;
  /** What the chosen one wrote, from its end; another one is shown from its own. */
  const body = createScrollPane(
    theme,
    (columns) => {
      const job = list.current?.job;
      if (job?.id !== shownId) body.end = true;
      shownId = job?.id;
      return job ? endOf(job, theme, columns) : [];
    },
    () => Math.max(1, room - 1),
  );
  follow();
  return {
    get title() {
      const running = list.items.filter(isRunning).length;
      return list.items.length === 0 ? "jobs" : `jobs: ${running} of ${plural(list.items.length, "job")} running`;
    },
    hint: "up/down  Alt+C cancels  Alt+D lets it go on without pith  page up/down  Esc closes",
    input(event) {
      if (event.type === "mouse" || (event.type === "key" && event.combo.startsWith("page")))
        return body.input?.(event) ?? "passed";
      const verb = event.type === "key" ? keys[event.combo] : undefined;
      if (!verb) return list.input?.(event) ?? "passed";
      void act(verb);
      return "used";
    },
    hear({ type }) {
      if (type === "entry" || type === "notice") follow();
    },
    render(columns, height) {
      list.focused = true;
      const top = list.render(columns, Math.min(7, Math.max(2, Math.floor(height / 3))));
      const said = told ? [`  ${theme.paint(told.failed ? "warn" : "ok", fit(oneLine(told.text), columns - 2))}`] : [];
      room = Math.max(1, height - top.length - said.length - 1);
      const { current } = list;
      if (!current) return [...top, ...said];
      return [...top, "", ...indented(columns, (wide) => body.render(wide, room)), ...said];
    },
    closed: () => cancel(),
    spoken() {
      const { current } = list;
      if (!current) return "there are no background jobs";
      const last = linesOf(current.job).at(-1) ?? "";
      return oneLine(`${told ? `${told.text} ` : ""}${current.label} ${current.detail} ${last}`);
    },
  };
}

function linesOf({ endedAt, text, snapshot }: Job): string[] {
  const said = endedAt === undefined ? snapshot() : (text ?? "");
  return printable(plainText(said.slice(-tailChars)).trimEnd()).split("\n");
}

function endOf(job: Job, theme: Theme, columns: number): string[] {
  const lines = linesOf(job);
  if (lines.length === 1 && lines[0] === "") return [theme.paint("dim", "(it has written nothing yet)")];
  return lines.map((line) => theme.paint("toolOutput", fit(line, columns, theme.glyph.ellipsis)));
}
