import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadSecrets } from "@pith/coder";
import { messageOf, span, timingReport } from "@pith/kit";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import { type Subcommands, usageLine } from "./subcommand.ts";

/** Every subcommand, loaded when it is chosen and never before; help, completion and the pages are made of these. */
export const subcommands: Subcommands = {
  launch: async () => (await import("./launch.ts")).launch,
  tool: async () => (await import("./tool/tool.ts")).tool,
  "apply-patch": async () => (await import("./tool/apply-patch.ts")).applyPatchCommand,
  changes: async () => (await import("./session/changes.ts")).changes,
  undo: async () => (await import("./session/undo.ts")).undo,
  redo: async () => (await import("./session/undo.ts")).redo,
  config: async () => (await import("./setting/config.ts")).config,
  prompt: async () => (await import("./setting/prompt.ts")).prompt,
  trust: async () => (await import("./setting/trust.ts")).trust,
  policy: async () => (await import("./setting/policy.ts")).policy,
  rules: async () => (await import("./setting/rules.ts")).rules,
  serve: async () => (await import("./server/serve.ts")).serve,
  attach: async () => (await import("./server/attach.ts")).attach,
  acp: async () => (await import("./server/acp.ts")).acp,
  sandbox: async () => (await import("./tool/sandbox.ts")).sandbox,
  sessions: async () => (await import("./session/sessions.ts")).sessions,
  session: async () => (await import("./session/session.ts")).session,
  jobs: async () => (await import("./server/jobs.ts")).jobs,
  models: async () => (await import("./setting/models.ts")).models,
  auth: async () => (await import("./setting/auth.ts")).auth,
  stats: async () => (await import("./session/stats.ts")).stats,
  export: async () => (await import("./session/export.ts")).exportSession,
  import: async () => (await import("./session/import.ts")).importSessions,
  replay: async () => (await import("./session/replay.ts")).replaySession,
  gc: async () => (await import("./session/gc.ts")).gc,
  gallery: async () => (await import("./tool/gallery.ts")).gallery,
  doctor: async () => (await import("./setting/doctor.ts")).doctor,
  completion: async () => (await import("./complete/completion.ts")).completion,
  help: async () => (await import("./help/help.ts")).help,
  version: async () => (await import("./help/version.ts")).version,
};

/** Splits arguments into a subcommand and its own; what begins with no subcommand begins a conversation. */
export const normalise = (argv: readonly string[]): readonly [string, ...string[]] => {
  const [first, ...rest] = argv;
  return first !== undefined && Object.hasOwn(subcommands, first) ? [first, ...rest] : ["launch", ...argv];
};

/** Runs a subcommand to its exit code. Everything it wrote is out when this resolves. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const code = await attempt(argv, io);
  const report = timingReport();
  if (report) io.err.write(report);
  await Promise.all([io.out.flush(), io.err.flush()]);
  const { fault } = io.out;
  // A reader that left (head, less) is no error; a full disk is one.
  if (!fault || isGone(fault)) return code;
  complain(io, `the output could not be written: ${fault.message}`);
  await io.err.flush();
  return exit.unfinished;
}

const asksForHelp = (words: readonly string[]): boolean => {
  const before = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  return before.includes("--help") || before.includes("-h");
};

const isGone = (fault: Error): boolean => (fault as { code?: unknown }).code === "EPIPE";

async function attempt(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = normalise(argv);
  try {
    // A bare word is hardly a prompt; other arguments are not checked here.
    if (name === "launch" && rest.some((word) => /^[a-z][a-z-]+$/i.test(word))) {
      const meant = (await import("./help/meant.ts")).meantFor(rest, Object.keys(subcommands));
      if (meant !== undefined) return usage(io, meant);
    }
    if (io.env.PITH_FS) {
      const wrong = (await import("../open/way.ts")).chooseWay(io.env.PITH_FS);
      if (wrong !== undefined) return usage(io, wrong);
    }
    using _ = span(name);
    if (asksForHelp(rest)) return await (await import("./help/help.ts")).showHelp([name], io, subcommands);
    const loaded = span("load");
    const command = await subcommands[name]?.();
    loaded();
    const ended = (await command?.run(rest, io, subcommands)) ?? exit.usage;
    return ended === "usage" && command ? usage(io, usageLine(name, command)) : Number(ended);
  } catch (error) {
    return await failed(error, io);
  }
}

/** A bug: told in one line without secrets, with the rest in the log. */
async function failed(error: unknown, io: Io): Promise<number> {
  const { Secrets } = await loadSecrets();
  const stack = error instanceof Error ? error.stack : undefined;
  const shown = new Secrets({ env: io.env, home: io.home }).maskAll({ message: messageOf(error), stack });
  io.log.write("error", "internal error", shown);
  const log = join(io.home, "logs", "pith.log");
  complain(io, `internal error: ${shown.message}${existsSync(log) ? ` (details in ${log})` : ""}`);
  return exit.unfinished;
}
