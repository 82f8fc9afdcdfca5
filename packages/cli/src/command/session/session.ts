import { resolve } from "node:path";
import {
  deleteSession,
  fileStorage,
  forkSession,
  Journal,
  moveSession,
  readHeader,
  rememberFolder,
  restoreSession,
  togglePin,
} from "@pith/agent";
import { loadSecrets } from "@pith/coder";
import { workDirectory } from "../../argv/directory.ts";
import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, unfinished, usage } from "../../io/io.ts";
import { namedSession, sessionDir, sessionsFolder } from "../../open/folder.ts";
import { subcommand } from "../subcommand.ts";

interface NamedSession {
  file: string;
  sessions: string;
  /** The words after the id. */
  words: readonly string[];
  at: string | undefined;
}

interface SessionAction {
  words: string;
  run(session: NamedSession, io: Io): Promise<number> | number;
}

const actions: Record<string, SessionAction> = {
  path: { words: "", run: ({ file }, io) => say(io, file) },
  rename: { words: "<name>", run: rename },
  pin: { words: "", run: pin },
  fork: { words: "", run: fork },
  move: { words: "<dir>", run: move },
  delete: { words: "", run: remove },
};
const names = [...Object.keys(actions), "restore"];

/** Acts on one session, which is named by its path or the beginning of its id. */
export const session = subcommand({
  usage: "<action> <id>",
  about: "rename, pin, fork, move, delete, restore a session",
  help: "session",
  options: {
    at: { takes: "text", as: "entry", about: "fork: only the path up to this entry" },
    "session-dir": sessionDir,
  },
  words: names,
  async run({ flags, words: [name, id, ...words] }, io, all) {
    if (name === undefined) return (await import("../help/help.ts")).showHelp(["session"], io, all);
    if (name === "restore" && id) return restore(id, flags["session-dir"], io);
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action && name !== "restore") return usage(io, noSuch("action", name, names));
    if (!action || id === undefined || (action.words === "") !== (words.length === 0))
      return usage(io, `usage: pith session ${name} <id> ${action?.words ?? ""}`.trimEnd());
    if (flags.at !== undefined && name !== "fork") return usage(io, "--at goes with fork");
    const named = await namedSession(io, id, flags["session-dir"]);
    if (!named.ok) return usage(io, named.message);
    return action.run({ ...named.value, words, at: flags.at }, io);
  },
});

function say(io: Io, text: string): number {
  io.out.write(`${text}\n`);
  return exit.finished;
}

async function rename({ file, words }: NamedSession, io: Io): Promise<number> {
  const faults: string[] = [];
  const { Secrets } = await loadSecrets();
  const opened = Journal.open({
    storage: fileStorage(file),
    clock: io.clock,
    mask: new Secrets({ env: io.env, home: io.home }).maskAll,
    onFault: (message) => faults.push(message),
  });
  if (!opened.ok) return unfinished(io, opened.message);
  const { journal } = opened.value;
  journal.append({ type: "session_info", name: words.join(" ").replace(/\s+/g, " ").trim() });
  await journal.close();
  return faults.length > 0 ? unfinished(io, faults.join("; ")) : exit.finished;
}

function pin({ file, sessions }: NamedSession, io: Io): number {
  const id = readHeader(file)?.id;
  if (id === undefined) return unfinished(io, `${file} is not a session.`);
  const done = togglePin(sessions, id);
  return done.ok ? say(io, done.value) : unfinished(io, done.message);
}

function fork({ file, sessions, at }: NamedSession, io: Io): number {
  const forked = forkSession({ file, sessions, take: at === undefined ? "all" : { upTo: at }, clock: io.clock });
  if (!forked.ok) return unfinished(io, forked.message);
  for (const warning of forked.value.warnings) complain(io, warning);
  rememberFolder(io.home, forked.value.file);
  return say(io, forked.value.file);
}

async function move({ file, sessions, words }: NamedSession, io: Io): Promise<number> {
  const directory = workDirectory(words.join(" "), io.cwd);
  if (!directory.ok) return usage(io, `${resolve(io.cwd, words.join(" "))} is not a directory`);
  const moved = await moveSession(file, directory.value, sessions, io.clock);
  if (!moved.ok) return unfinished(io, moved.message);
  rememberFolder(io.home, moved.value);
  return say(io, moved.value);
}

function remove({ file, sessions }: NamedSession, io: Io): number {
  const removed = deleteSession(file, sessions, io.clock.now());
  if (!removed.ok) return unfinished(io, removed.message);
  complain(io, `deleted; pith session restore ${removed.value.id} brings it back within 30 days`);
  return exit.finished;
}

async function restore(id: string, dir: string | undefined, io: Io): Promise<number> {
  const sessions = await sessionsFolder(io, dir);
  if (!sessions.ok) return usage(io, sessions.message);
  const restored = restoreSession(id, sessions.value);
  return restored.ok ? say(io, restored.value) : unfinished(io, restored.message);
}
