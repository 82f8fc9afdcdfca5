import { existsSync } from "node:fs";
import { artifactsOf } from "@pith/agent";
import { messageOf, plainText } from "@pith/kit";
import { createList, type Item } from "@pith/tui";
import { logLines, reported, systemFacts } from "../../../../desk/report.ts";
import type { Dialog, Seat } from "../../seat.ts";
import { openWhole } from "../pager.ts";

interface Deed extends Item {
  run(): void | Promise<void>;
}

/** What helps to find out what is wrong. Nothing of it is for the model. */
export function debugDialog(seat: Seat, close: () => void): Dialog {
  const { io, look, coder } = seat;
  const read = (title: string, lines: readonly string[], from: "top" | "end" = "top") =>
    seat.open(openWhole(look, { title, text: lines.join("\n") || "There is nothing.", from }));
  const deeds: readonly Deed[] = [
    {
      label: "report",
      detail: "an archive of session, outputs, log and system, without the keys that pith knows of",
      async run() {
        const { text, failed } = await reported({ io, session: coder?.file });
        seat.say(failed ? "error" : "info", text);
      },
    },
    { label: "logs", detail: "the newest lines of pith's log", run: () => read("log", logLines(io.home, 5000), "end") },
    { label: "system", detail: "machine, terminal, versions", run: () => read("system", systemFacts(io)) },
    {
      label: "memory",
      detail: "what pith itself uses",
      run() {
        Bun.gc(true);
        const rows = Object.entries(process.memoryUsage()).map(
          ([name, bytes]) => `${name}: ${(bytes / 1e6).toFixed(1)} MB`,
        );
        return read("memory", rows);
      },
    },
    {
      label: "heap",
      detail: "all that pith has in memory, as a .heapsnapshot for yourself: keys are in it",
      async run() {
        const { writeHeap } = await import("../../../../desk/profile.ts");
        seat.say("info", `What is in memory is in ${writeHeap()}. Keys are in it too: it is not for others.`);
      },
    },
    { label: "time", detail: "where pith's time goes until you press Enter, as a .cpuprofile", run: () => timed(seat) },
    { label: "transcript", detail: "the whole conversation", run: () => seat.act("app.transcript") },
    {
      label: "record",
      detail: "where the session is, and what was too long for it",
      run: () => seat.say("info", placesOf(coder?.file)),
    },
  ];
  const list = createList<Deed>({
    look,
    items: deeds,
    choose([deed]) {
      close();
      void attempt(seat, deed);
    },
    cancel: close,
  });
  return Object.assign(list, { title: "debug", hint: "Enter does it  Esc closes", rows: 10 });
}

function placesOf(record: string | undefined): string {
  if (record === undefined) return "Nothing is recorded.";
  const outputs = artifactsOf(record);
  return existsSync(outputs) ? `${record}\n${outputs}` : record;
}

/** Watches until somebody has seen enough; the screen goes on beside it. */
async function timed(seat: Seat): Promise<void> {
  const { watchTime } = await import("../../../../desk/profile.ts");
  const watch = await watchTime();
  await seat.open((_, close) => ({
    title: "time",
    hint: "Enter or Esc ends it",
    rows: 1,
    render: () => ["pith watches itself."],
    input(event) {
      if (event.type !== "key" || event.combo !== "enter") return "passed";
      close();
      return "used";
    },
    closed: () =>
      void watch.stop().then(
        (file) => seat.say("info", `Where its time went is in ${file}.`),
        (error) => seat.say("error", plainText(messageOf(error))),
      ),
  }));
}

async function attempt(seat: Seat, deed: Deed | undefined): Promise<void> {
  try {
    await deed?.run();
  } catch (error) {
    seat.say("error", plainText(messageOf(error)));
  }
}
