import type { Coder, Job } from "@pith/coder";
import { messageOf, plainText, plural } from "@pith/kit";
import { createList, fit, type ListItem, oneLine, printable, type Theme } from "@pith/tui";
import { secondsOf } from "../../../../view/kind/run.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { type SplitMessage, SplitView } from "../split.ts";

interface JobItem extends ListItem {
  job: Job;
}

/** Characters of the end of an output that are shown. */
const tailChars = 64 * 1024;
const everyMs = 250;
const verbs: Readonly<Record<string, "cancel" | "detach">> = { "alt+c": "cancel", "alt+d": "detach" };
const none = "there are no background jobs";

/** Lists the background jobs with the end of their output, to cancel or detach them. */
export function jobsDialog(context: ScreenContext, close: () => void): Dialog {
  const { theme, coder, timers, io, screen } = context;
  if (!coder) throw new Error("There is no session yet.");
  const list = createList<JobItem>({ theme, items: [], height: 6, empty: none, cancel: close });
  const draw = (item: JobItem | undefined, columns: number) => (item ? outputRows(item.job, theme, columns) : []);
  const split = new SplitView({ theme, list, listRows: { least: 2, most: 7 }, from: "end", draw });
  let busy = false;
  let cancel = () => {};
  /** Lists the jobs as they are now, and again while one of them runs. */
  function refresh() {
    cancel();
    list.items = coder?.jobs().map((job) => itemOf(job, io.clock.now())) ?? [];
    if (!list.items.some(isRunning)) return;
    cancel = timers.after(everyMs, () => {
      refresh();
      screen.request();
    });
  }
  async function act(verb: "cancel" | "detach") {
    if (!list.current || busy) return;
    busy = true;
    const done = performed(coder, `/jobs ${verb} ${list.current.job.id}`);
    split.message = await done.catch((error) => ({ text: messageOf(error), failed: true }));
    busy = false;
    refresh();
    screen.request();
  }
  refresh();
  return {
    get title() {
      const running = list.items.filter(isRunning).length;
      return list.items.length === 0 ? "jobs" : `jobs: ${running} of ${plural(list.items.length, "job")} running`;
    },
    hint: "up/down  Alt+C cancels  Alt+D lets it go on without pith  page up/down  Esc closes",
    input(event) {
      const verb = event.type === "key" ? verbs[event.combo] : undefined;
      if (!verb) return split.input(event);
      void act(verb);
      return "used";
    },
    hear({ type }) {
      if (type === "entry" || type === "notice") refresh();
    },
    render: (columns, height) => split.render(columns, height),
    closed: () => cancel(),
    spoken: () => (list.current ? spokenJob(list.current, split.message?.text) : none),
  };
}

/** Runs a slash command of the conversation. */
async function performed(coder: Coder | undefined, text: string): Promise<SplitMessage | undefined> {
  const typed = coder?.commands.read(text);
  if (typed?.is === "unknown") return { text: typed.message, failed: true };
  const ending = typed?.is === "command" ? await coder?.perform(typed) : undefined;
  return ending?.do === "show" ? { text: ending.outcome.text, failed: ending.outcome.failed === true } : undefined;
}

const isRunning = ({ job }: JobItem): boolean => job.status === "running";

function itemOf(job: Job, now: number): JobItem {
  const ms = (job.endedAt ?? now) - job.startedAt;
  return { job, id: job.id, label: `${job.id} ${job.status}`, detail: `${secondsOf(ms)}: ${job.label}` };
}

const spokenJob = ({ label, detail, job }: JobItem, message = ""): string =>
  oneLine(`${message} ${label} ${detail} ${linesOf(job).at(-1)}`).trim();

function linesOf({ endedAt, text, snapshot }: Job): string[] {
  const output = endedAt === undefined ? snapshot() : (text ?? "");
  return printable(plainText(output.slice(-tailChars)).trimEnd()).split("\n");
}

function outputRows(job: Job, theme: Theme, columns: number): string[] {
  const lines = linesOf(job);
  if (lines.length === 1 && lines[0] === "") return [theme.paint("dim", "(it has written nothing yet)")];
  return lines.map((line) => theme.paint("toolOutput", fit(line, columns, theme.glyph.ellipsis)));
}
