import { type Entry, textOf } from "@pith/agent";
import { type Command, type Ending, undoForFaces } from "@pith/coder";
import { idStart, plainText } from "@pith/kit";
import {
  copyCommand,
  exportCommand,
  nameCommand,
  type SharedCommand,
  type SharedCommandContext,
} from "../shared-command.ts";

/** Commands of the line interface for what the full screen has dialogs for. */
export function lineCommands(needs: SharedCommandContext): Command[] {
  return [...[nameCommand, copyCommand, exportCommand].map((deed) => commandOf(deed, needs)), ...own(needs)];
}

const show = (text: string, failed?: "failed"): Ending => ({
  do: "show",
  outcome: { kind: "prose", data: {}, text, ...(failed && { failed: true as const }) },
});

const commandOf = (
  { command, about, usage, aliases, complete, run }: SharedCommand,
  needs: SharedCommandContext,
): Command => ({
  name: command,
  about,
  usage,
  when: "any time",
  ...(aliases && { aliases }),
  ...(complete && { complete }),
  async run(words) {
    const told = await run(needs, words);
    return told.ok ? show(told.value) : show(told.message, "failed");
  },
});

const own = (needs: SharedCommandContext): readonly Command[] => [
  {
    name: "fork",
    about: "copy this session; pith -r goes on with the copy",
    when: "any time",
    async run() {
      const copy = await needs.coder.walk.fork();
      if (!copy.ok) return show(copy.message, "failed");
      const id = idStart(copy.value.header.id);
      return show(`The copy is ${id}: \`pith -r ${id}\` goes on with it. This one goes on here.`);
    },
  },
  {
    name: "branch",
    about: "go back to before something that you said; alone it lists what you said",
    usage: "[n]",
    when: "idle",
    run: (words) => branch(needs, words),
  },
  {
    name: "diff",
    about: "what was changed",
    usage: "[session|turn|<file>]",
    when: "any time",
    complete: (words) => ["session", "turn"].filter((word) => word.startsWith(words)),
    run: (words) => diff(needs, words),
  },
  {
    name: "debug",
    about: "to find out what is wrong; alone it writes a report of session, outputs, log and system",
    usage: "[what]",
    when: "any time",
    complete: async (words) => {
      const { debugCommands } = await import("../../report/debug.ts");
      return debugCommands.flatMap(({ name, run }) => (run && name.startsWith(words) ? [name] : []));
    },
    run: (words) => debug(needs, words),
  },
];

async function debug(needs: SharedCommandContext, words: string): Promise<Ending> {
  const { debugCommand, debugCommands } = await import("../../report/debug.ts");
  const [name = "", ...more] = words.split(/\s+/);
  const done = await debugCommand(name || "dump")?.run?.(needs, more.join(" "));
  const names = debugCommands.flatMap((each) => (each.run ? [each.name] : []));
  if (!done) return show(`Usage: /debug [${names.join("|")}]`, "failed");
  return done.ok ? show(plainText(done.value)) : show(plainText(done.message), "failed");
}

/** Prompts that `/branch` lists. */
const listed = 10;

async function branch({ coder }: SharedCommandContext, words: string): Promise<Ending> {
  const said = saidBefore(coder.record.back());
  if (said.length === 0) return show("Nothing was said yet.", "failed");
  if (words === "") {
    const rows = said.map(
      ({ text }, at) => `${String(at + 1).padStart(2)}  ${plainText(text).replace(/\s+/g, " ").slice(0, 70)}`,
    );
    return show([...rows, "/branch <n> goes back to before it."].join("\n"));
  }
  const chosen = /^\d+$/.test(words) ? said[Number(words) - 1] : undefined;
  if (!chosen) return show("Usage: /branch [n]; /branch alone lists what you said", "failed");
  const gone = await coder.walk.go(chosen.id, "none");
  if (gone.done !== "moved") return show("Nothing has moved.", "failed");
  return show(`This is before you said:\n${gone.text ?? chosen.text}`);
}

/** The newest prompts of the person first. */
function saidBefore(back: Iterable<Entry>): { id: string; text: string }[] {
  const said: { id: string; text: string }[] = [];
  for (const entry of back) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    said.push({ id: entry.id, text: textOf(entry.message.content) });
    if (said.length === listed) break;
  }
  return said;
}

async function diff({ coder }: SharedCommandContext, words: string): Promise<Ending> {
  const undo = await coder.undo();
  if (!undo) return show("Undo is off here, so nothing knows what was changed.", "failed");
  await undo.settle();
  const { changesOf } = await undoForFaces();
  const turns = undo.turns().filter(({ session, state }) => session === coder.header.id && state === "done");
  const file = words === "" || words === "session" || words === "turn" ? undefined : words;
  const files = (words === "turn" ? turns.slice(-1) : turns)
    .flatMap((turn) => changesOf(undo, turn))
    .filter(({ path }) => file === undefined || path === file || path.endsWith(`/${file}`));
  if (files.length === 0) return show("Nothing that is still there was changed.");
  const text = files.map(({ path, what, added, removed, patch }) => `${what} ${path} +${added} -${removed}\n${patch}`);
  return show(plainText(text.join("\n")));
}

/** Names of commands of other programs, and what does the same here. */
const places: Readonly<Record<string, string>> = {
  resume: "Leave with Ctrl+D; then `pith -c` goes on with the last session here, `pith -r <id>` with another.",
  sessions: "Leave with Ctrl+D; then `pith sessions` lists them, `pith -r <id>` goes on with one.",
  login: "Leave with Ctrl+D; then `pith auth add <vendor>` keeps a key. More: `pith help models`.",
  logout: "Leave with Ctrl+D; then `pith auth` tells which keys there are, and how one is removed.",
  config: "`pith config` shows and changes settings.",
};

/** The answer to a command that other programs have and that is none here. */
export function elsewhere(text: string): string | undefined {
  const name = /^\/([a-z]+)(?: .*)?$/.exec(text)?.[1] ?? "";
  return Object.hasOwn(places, name) ? `There is no command /${name}. ${places[name]}` : undefined;
}
