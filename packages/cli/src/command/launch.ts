import { resolve } from "node:path";
import { openTrust, sessionsFolder } from "@pith/coder";
import { span, started, timingReport } from "@pith/kit";
import { workDirectory } from "../argv/directory.ts";
import { type LaunchFlags, launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import type { Face } from "../mode/face.ts";
import { openConversation } from "../open/open.ts";
import { overridesOf } from "../open/override.ts";
import { sessionOf } from "../open/session.ts";
import { settingsIn } from "../open/setting.ts";
import { readPrompt } from "../prompt/prompt.ts";
import type { Command } from "./command.ts";

/** Each face is loaded when it is chosen, never before. */
const faces: Record<"print" | "line", (io: Io) => Promise<Face>> = {
  print: async () => (await import("../mode/print/face.ts")).printFace,
  line: async (io) => (await import("../mode/line/face.ts")).lineFace(io),
};

/** A conversation: one prompt and out, or line by line at a terminal. */
export const launch: Command = async (argv, io) => {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (flags.version) return (await import("./version.ts")).version([], io);
  if (flags.resume === "") return chooseSession(io);

  const cwd = workDirectory(flags.cwd, io.cwd);
  if (!cwd.ok) return usage(io, cwd.message);
  const overrides = overridesOf(flags, io);
  if (!overrides.ok) return usage(io, overrides.message);
  const face = await faces[await faceFor(flags, io)](io);
  const refusal = face.refuses(flags);
  if (refusal !== undefined) return usage(io, refusal);

  const trust = openTrust({ home: io.home, run: flags.trust ? "everything" : undefined });
  const overlays = flags.config?.map((file) => resolve(io.cwd, file));
  const settings = await spanned("settings", () =>
    settingsIn(io, { cwd: cwd.value, overlays, overrides: overrides.value }, trust),
  );
  if (!settings.ok) return usage(io, settings.message);
  for (const warning of settings.value.warnings) complain(io, warning);
  const sessions = sessionsFolder(settings.value, io);
  const session = sessionOf(flags, io.cwd, sessions);
  if (!session.ok) return usage(io, session.message);

  const { person, attend } = face;
  const said = await spanned("words", () =>
    readPrompt({ words, plain, piped: person === "away" ? "read" : "ignore" }, io),
  );
  if (!said.ok) return usage(io, said.message);
  if (person === "away" && !said.value) return usage(io, 'nothing to do: give a prompt (pith -p "…"), or pipe one in');

  const otherwise = person === "there" && !said.value ? "tour" : undefined;
  const opened = await openConversation(
    { flags, settings: settings.value, session: session.value, trust, cwd: cwd.value, person, attend, otherwise },
    io,
  );
  if (!opened.ok) return usage(io, opened.message);
  const { coder, tour, close } = opened.value;
  try {
    const next = started();
    if (person === "there") {
      const report = timingReport();
      if (report) io.err.write(report);
      if (next === "leave") return exit.finished;
    }
    const task = { coder, tour, said: said.value, flags, sessions };
    return await spanned("run", () => face.run(task, io));
  } finally {
    await close();
  }
};

async function faceFor(flags: LaunchFlags, io: Io): Promise<keyof typeof faces> {
  if (flags.print || flags.mode) return "print";
  return (await io.isTerminal("in")) && (await io.isTerminal("out")) ? "line" : "print";
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
