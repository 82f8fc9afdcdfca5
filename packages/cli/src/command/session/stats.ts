import { allSessionFiles, fileStorage, findSession, Journal } from "@pith/agent";
import { loadUsage, type Spent, type Total } from "@pith/coder";
import { plural, systemClock } from "@pith/kit";
import { pastTime } from "../../argv/duration.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { sessionsFolder } from "../../open/folder.ts";
import { dayOf } from "../../view/clock.ts";
import { type Column, inColumns, inRows, printList } from "../list.ts";
import { subcommand } from "../subcommand.ts";

const views = ["day", "model", "project", "session"] as const;
type StatsView = (typeof views)[number];

/** Adds up what was used and what it cost, from the session files. */
export const stats = subcommand({
  usage: "",
  about: "what was used and what it cost",
  help: "usage",
  options: {
    by: { takes: "choice", as: "view", of: views, about: "only this view" },
    since: { takes: "text", as: "date", about: "only since this day, or the last 7d" },
    session: { takes: "text", as: "session", about: "what one session holds and has cost" },
    json: { takes: "nothing", about: "one JSON object per line" },
  },
  async run({ flags, words: [word] }, io) {
    if (word !== undefined) return usage(io, `pith stats takes no words; did you mean --session ${word}?`);
    const since = pastTime("since", flags.since, io.clock.now());
    if (!since.ok) return usage(io, since.message);
    const folder = await sessionsFolder(io);
    if (!folder.ok) return usage(io, folder.message);
    const named = flags.session === undefined ? undefined : findSession(flags.session, folder.value, io.cwd);
    if (named && !named.ok) return usage(io, named.message);
    const files = named ? [named.value] : allSessionFiles(folder.value);
    const tables = await gather(files, since.value ?? 0, io);
    if (flags.json) json(tables, flags.by, io);
    else if (tables.all.replies === 0) complain(io, "no session has used anything yet");
    else await print(tables, flags.by ? [flags.by] : named ? ["model"] : ["day", "model", "project"], io);
    if (named && !flags.json) await printContext(named.value, io);
    return exit.finished;
  },
});

interface UsageTables {
  all: Total;
  totals: Record<StatsView, Map<string, Total>>;
}

async function gather(files: readonly string[], since: number, io: Io): Promise<UsageTables> {
  const { addAnswer, nothing, spentIn } = await loadUsage();
  const tables: UsageTables = {
    all: nothing(),
    totals: { day: new Map(), model: new Map(), project: new Map(), session: new Map() },
  };
  const unreadable: string[] = [];
  for await (const spent of spentIn(files, (file) => unreadable.push(file))) {
    if (spent.at < since) continue;
    addAnswer(tables.all, spent.message);
    for (const view of views) {
      const key = keys[view](spent);
      const total = tables.totals[view].get(key) ?? nothing();
      tables.totals[view].set(key, total);
      addAnswer(total, spent.message);
    }
  }
  for (const file of unreadable) complain(io, `${file} could not be read to its end`);
  return tables;
}

const keys: Record<StatsView, (spent: Spent) => string> = {
  day: ({ at }) => dayOf(at),
  model: ({ message }) => `${message.provider}/${message.model}`,
  project: ({ project }) => project || "(unknown)",
  session: ({ session }) => session,
};

function json({ all, totals }: UsageTables, by: StatsView | undefined, io: Io): void {
  for (const view of by ? [by] : views)
    for (const [key, total] of sorted(totals[view], view)) io.out.write(jsonLine({ by: view, key, ...total }, io));
  io.out.write(jsonLine({ by: "all", key: "all", ...all }, io));
}

function print({ all, totals }: UsageTables, shown: readonly StatsView[], io: Io): Promise<void> {
  const tables = shown.flatMap((view) => {
    const rows = [...sorted(totals[view], view), ...(view === shown.at(-1) ? ([["all", all]] as const) : [])];
    const cells = rows.map(([key, total]) => row(key, total));
    return [...inColumns([{ head: view, gives: true }, ...figures], cells, io), ""];
  });
  const unpriced = `${figure(all.unpriced)} tokens have no price: ${unpricedWhy}`;
  return printList([...tables, ...(all.unpriced > 0 ? inRows(unpriced, io) : [])], io);
}

const unpricedWhy = "of servers of your own, or of models nobody knows the price of.";

const figures: readonly Column[] = [
  { head: "replies", align: "right", spare: 1 },
  { head: "input", align: "right" },
  { head: "cached", align: "right", spare: 2 },
  { head: "written", align: "right", spare: 3 },
  { head: "output", align: "right" },
  { head: "cost", align: "right" },
];

function row(key: string, { replies, input, cacheRead, cacheWrite, output, cost }: Total): string[] {
  const money = cost > 0 ? `$${cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}` : "–";
  return [key, ...[replies, input, cacheRead, cacheWrite, output].map(figure), money];
}

/** Sorts days by date, other keys by cost, then by tokens. */
function sorted(totals: ReadonlyMap<string, Total>, view: StatsView): [string, Total][] {
  const used = (total: Total) => total.input + total.output + total.cacheRead + total.cacheWrite;
  return [...totals].sort(([a, total], [b, other]) =>
    view === "day" ? (a < b ? -1 : 1) : other.cost - total.cost || used(other) - used(total),
  );
}

async function printContext(file: string, io: Io): Promise<void> {
  const opened = Journal.open(
    { storage: fileStorage(file), clock: systemClock, onFault: (text) => complain(io, text) },
    "read",
  );
  if (!opened.ok) return complain(io, opened.message);
  const { total, ...categories } = (await (await loadUsage()).sessionUsage(opened.value.journal.tree)).context;
  io.out.write(`context of about ${plural(total, "token")}:\n`);
  for (const [name, tokens] of Object.entries(categories))
    io.out.write(`  ${name.padEnd(18)}${figure(tokens).padStart(8)}\n`);
}

function figure(amount: number): string {
  if (amount >= 999_500) return `${(amount / 1_000_000).toFixed(amount >= 9_995_000 ? 0 : 1)}M`;
  return amount >= 10_000 ? `${Math.round(amount / 1000)}k` : String(Math.round(amount));
}
