import { resolve } from "node:path";
import { loadOutput, openTrust, runWalled, type Settings, sessionsFolder, type Trust } from "@pith/coder";
import { fail, messageOf, ok, type Result, readPlain, span, started, timingReport } from "@pith/kit";
import { workDirectory } from "../argv/directory.ts";
import { type LaunchFlags, launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import type { Face, FaceStart } from "../mode/frontend.ts";
import type { Opening } from "../open/open.ts";
import { overridesOf } from "../open/override.ts";
import { sessionOf } from "../open/session.ts";
import { settingsIn } from "../open/setting.ts";
import { openPlace } from "../open/slot.ts";
import { wordsOf } from "../open/system-prompt.ts";
import { readPrompt, type Said } from "../prompt/prompt.ts";
import type { Command } from "./command.ts";

/** Each face is loaded when it is chosen, never before. */
const faces: Record<"print" | "line" | "full" | "rpc", (io: Io) => Promise<Face>> = {
  print: async () => (await import("../mode/print/frontend.ts")).printFace,
  line: async (io) => (await import("../mode/line/frontend.ts")).lineFace(io),
  full: async (io) => (await import("../mode/full/frontend.ts")).fullFace(io),
  rpc: async () => (await import("../mode/rpc/frontend.ts")).rpcFace,
};

/** A conversation: one prompt and out, or at a terminal, on its whole screen or line by line. */
export const launch: Command = async (argv, io) => {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (flags.version) return (await import("./help/version.ts")).version([], io);

  const cwd = workDirectory(flags.cwd, io.cwd);
  if (!cwd.ok) return usage(io, cwd.message);
  const overrides = overridesOf(flags, io);
  if (!overrides.ok) return usage(io, overrides.message);
  const chosen = await faceFor(flags, io);
  const face = await faces[chosen](io);
  const printed = (["output-schema", "receipt"] as const).find((name) => flags[name] !== undefined);
  const refusal = chosen !== "print" && printed ? `--${printed} goes with -p` : face.refuses(flags);
  if (refusal !== undefined) return usage(io, refusal);
  if (flags.resume === "" && !face.choose) return chooseSession(io);

  const trust = openTrust({ home: io.home, run: flags.trust ? "everything" : undefined });
  const overlays = flags.config?.map((file) => resolve(io.cwd, file));
  const settingsAt = (at: string) => settingsIn(io, { cwd: at, overlays, overrides: overrides.value }, trust);
  const settings = await spanned("settings", () => settingsAt(cwd.value));
  if (!settings.ok) return usage(io, settings.message);
  for (const warning of settings.value.warnings) complain(io, warning);
  const wall = flags.ci ? await wallFault(settings.value, cwd.value, io) : undefined;
  if (wall !== undefined) return usage(io, `--ci needs a sandbox (${wall}); --sandbox off goes without`);
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
  const otherwise = said.value ? undefined : face.otherwise;
  const own = wordsOf(flags, io);
  if (!own.ok) return own;
  const output = await outputIn(flags["output-schema"], io);
  if (!output.ok) return output;
  const shared = {
    flags,
    settings,
    cwd,
    trust,
    person,
    attend,
    otherwise,
    words: own.value,
    parts: output.value && [output.value],
  } as const;
  return ok({ ...shared, session: session.value, said: said.value, sessions });
}

async function converse(
  { said, sessions, ...opening }: Started,
  face: Face,
  io: Io,
  settingsAt: (cwd: string) => ReturnType<typeof settingsIn>,
): Promise<number> {
  const { flags, person } = opening;
  const opened = await openPlace(opening, io, settingsAt);
  if (!opened.ok) {
    await face.abandon?.();
    return usage(io, opened.message);
  }
  const place = opened.value;
  try {
    const next = started();
    // Where the screen is taken already it is told at the end.
    const report = person === "there" && !face.begin ? timingReport() : undefined;
    if (report) io.err.write(report);
    if (person === "there" && next === "leave") {
      await face.abandon?.();
      return exit.finished;
    }
    const { coder, tour, cwd, settings } = place.current;
    const files = said?.files.length ? await coder.attachFiles(said.files, io.cwd) : undefined;
    if (files && !files.ok) {
      await face.abandon?.();
      return usage(io, files.message);
    }
    const whole = files ? said?.shown(files.value) : said;
    return await spanned("run", () =>
      face.run({ coder, tour, said: whole, flags, sessions, place, reopen: place.swap, cwd, settings }, io),
    );
  } finally {
    await place.close();
  }
}

async function faceFor(flags: LaunchFlags, io: Io): Promise<keyof typeof faces> {
  if (flags.mode === "rpc") return "rpc";
  if (flags.print || flags.mode || flags.ci) return "print";
  if (!(await io.isTerminal("in")) || !(await io.isTerminal("out"))) return "print";
  return flags.line || io.env.TERM === "dumb" ? "line" : "full";
}

/** Why commands would run without a wall, where one is wanted. */
async function wallFault(settings: Settings, cwd: string, io: Io): Promise<string | undefined> {
  if (settings.get("sandbox.mode") === "off") return undefined;
  const { home, userHome, env } = io;
  const signal = new AbortController().signal;
  const tried = await runWalled(["true"], { cwd, home, userHome, env, settings, tell: () => {} }, signal);
  return tried.ok ? undefined : tried.message;
}

type Held = NonNullable<Opening["parts"]>[number];

/** What holds answers to the schema in a file. */
async function outputIn(file: string | undefined, io: Io): Promise<Result<Held | undefined, string>> {
  if (file === undefined) return ok(undefined);
  const read = readPlain(resolve(io.cwd, file), { maxBytes: 1024 * 1024 });
  if (!read.ok) return fail("usage", `--output-schema: ${file} cannot be read`);
  const { outputSchema } = await loadOutput();
  let schema: unknown;
  try {
    schema = JSON.parse(read.value);
  } catch (error) {
    return fail("usage", `--output-schema: ${file} is not JSON: ${messageOf(error)}`);
  }
  const output = outputSchema(schema);
  return output.ok ? output : fail("usage", `--output-schema: ${file}: ${output.message}`);
}

/** What there is to go on with; which one, the next command says. */
async function chooseSession(io: Io): Promise<number> {
  await (await import("./session/sessions.ts")).sessions(["--here"], io);
  return usage(io, "say which one to go on with: pith -r <the beginning of its id>");
}

async function spanned<T>(name: string, run: () => Promise<T>): Promise<T> {
  using _ = span(name);
  return await run();
}
