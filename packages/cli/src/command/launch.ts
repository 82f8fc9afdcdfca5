import { resolve } from "node:path";
import { openTrust, type SessionChoice, sessionsFolder, type Trust } from "@pith/coder";
import { fail, ok, type Result, span, started, timingReport } from "@pith/kit";
import { workDirectory } from "../argv/directory.ts";
import { type LaunchFlags, launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import type { Face, FaceStart } from "../mode/face.ts";
import { type Opening, openConversation } from "../open/open.ts";
import { overridesOf } from "../open/override.ts";
import { sessionOf } from "../open/session.ts";
import { settingsIn } from "../open/setting.ts";
import { wordsOf } from "../open/words.ts";
import { readPrompt, type Said } from "../prompt/prompt.ts";
import type { Command } from "./command.ts";

/** Each face is loaded when it is chosen, never before. */
const faces: Record<"print" | "line" | "full", (io: Io) => Promise<Face>> = {
  print: async () => (await import("../mode/print/face.ts")).printFace,
  line: async (io) => (await import("../mode/line/face.ts")).lineFace(io),
  full: async (io) => (await import("../mode/full/face.ts")).fullFace(io),
};

/** A conversation: one prompt and out, or at a terminal, on its whole screen or line by line. */
export const launch: Command = async (argv, io) => {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (flags.version) return (await import("./version.ts")).version([], io);

  const cwd = workDirectory(flags.cwd, io.cwd);
  if (!cwd.ok) return usage(io, cwd.message);
  const overrides = overridesOf(flags, io);
  if (!overrides.ok) return usage(io, overrides.message);
  const face = await faces[await faceFor(flags, io)](io);
  const refusal = face.refuses(flags);
  if (refusal !== undefined) return usage(io, refusal);
  if (flags.resume === "" && !face.choose) return chooseSession(io);

  const trust = openTrust({ home: io.home, run: flags.trust ? "everything" : undefined });
  const overlays = flags.config?.map((file) => resolve(io.cwd, file));
  const settingsAt = (at: string) => settingsIn(io, { cwd: at, overlays, overrides: overrides.value }, trust);
  const settings = await spanned("settings", () => settingsAt(cwd.value));
  if (!settings.ok) return usage(io, settings.message);
  for (const warning of settings.value.warnings) complain(io, warning);
  const begin = { settings: settings.value, flags, cwd: cwd.value };
  await face.begin?.(begin, io);
  const opening = await openingOf({ ...begin, trust, words, plain }, face, io);
  if (opening.ok) return converse(opening.value, face, io, settingsAt);
  // Whoever has the terminal gives it back before anything is said.
  await face.abandon?.();
  return opening.message === "" ? exit.finished : usage(io, opening.message);
};

interface Start extends FaceStart {
  trust: Trust;
  words: readonly string[];
  plain: readonly string[];
}
interface Started extends Opening {
  said: Said | undefined;
  sessions: string;
}

/** Which session it is, and what was said on the command line. Fails without words when somebody would rather leave. */
async function openingOf(start: Start, face: Face, io: Io): Promise<Result<Started, string>> {
  const { settings, flags, cwd, trust, words, plain } = start;
  const { person, attend } = face;
  const sessions = sessionsFolder(settings, io);
  const chosen = flags.resume === "" ? await face.choose?.(sessions) : undefined;
  if (flags.resume === "" && !chosen) return fail("left", "");
  const session = chosen ? ok(chosen) : sessionOf(flags, io.cwd, sessions);
  if (!session.ok) return session;
  const said = await spanned("words", () =>
    readPrompt({ words, plain, piped: person === "away" ? "read" : "ignore" }, io),
  );
  if (!said.ok) return said;
  if (person === "away" && !said.value)
    return fail("usage", 'nothing to do: give a prompt (pith -p "…"), or pipe one in');
  const otherwise = person === "there" && !said.value ? "tour" : undefined;
  const own = wordsOf(flags, io);
  if (!own.ok) return own;
  const shared = { flags, settings, cwd, trust, person, attend, otherwise, words: own.value } as const;
  return ok({ ...shared, session: session.value, said: said.value, sessions });
}

async function converse(
  { said, sessions, ...opening }: Started,
  face: Face,
  io: Io,
  settingsAt: (cwd: string) => ReturnType<typeof settingsIn>,
): Promise<number> {
  const { flags, person } = opening;
  const opened = await openConversation(opening, io);
  if (!opened.ok) {
    await face.abandon?.();
    return usage(io, opened.message);
  }
  let current = opened.value;
  const reopen = async (session: SessionChoice, cwd = current.cwd) => {
    const settings = cwd === current.cwd ? ok(current.settings) : await settingsAt(cwd);
    if (!settings.ok) return settings;
    const other = await openConversation({ ...opening, session, cwd, settings: settings.value }, io);
    if (!other.ok) return other;
    await current.close();
    current = other.value;
    return other;
  };
  try {
    const next = started();
    // Where the screen is taken already it is told at the end.
    const report = person === "there" && !face.begin ? timingReport() : undefined;
    if (report) io.err.write(report);
    if (person === "there" && next === "leave") {
      await face.abandon?.();
      return exit.finished;
    }
    const { coder, tour, cwd, settings } = current;
    const files = said?.files.length ? await coder.attachFiles(said.files, io.cwd) : undefined;
    if (files && !files.ok) {
      await face.abandon?.();
      return usage(io, files.message);
    }
    const whole = files ? said?.shown(files.value) : said;
    return await spanned("run", () =>
      face.run({ coder, tour, said: whole, flags, sessions, reopen, cwd, settings }, io),
    );
  } finally {
    await current.close();
  }
}

async function faceFor(flags: LaunchFlags, io: Io): Promise<keyof typeof faces> {
  if (flags.print || flags.mode) return "print";
  if (!(await io.isTerminal("in")) || !(await io.isTerminal("out"))) return "print";
  return flags.line || io.env.TERM === "dumb" ? "line" : "full";
}

/** What there is to go on with; which one, the next command says. */
async function chooseSession(io: Io): Promise<number> {
  await (await import("./sessions.ts")).sessions(["--here"], io);
  return usage(io, "say which one to go on with: pith -r <the beginning of its id>");
}

async function spanned<T>(name: string, run: () => Promise<T>): Promise<T> {
  using _ = span(name);
  return await run();
}
