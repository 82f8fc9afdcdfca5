import { resolve } from "node:path";
import { loadOutput, runInSandbox, sessionsFolder } from "@pith/coder";
import { endStartup, fail, messageOf, ok, type Result, readPlain, span, timingReport } from "@pith/kit";
import { type LaunchFlags, launchFlags } from "../argv/flag.ts";
import { type Arguments, parseArguments } from "../argv/parse.ts";
import { complain, type Io, usage } from "../io/io.ts";
import { type Frontend, present } from "../mode/frontend.ts";
import { openProject, type Project } from "../open/project.ts";
import type { OpenOptions } from "../open/session.ts";
import { sessionOf } from "../open/session-choice.ts";
import { openSlot } from "../open/slot.ts";
import { promptOverrides } from "../open/system-prompt.ts";
import { type LaunchPrompt, readPrompt } from "../prompt/prompt.ts";
import type { Ended, Subcommand, Subcommands } from "./subcommand.ts";

/** Each frontend is loaded when it is chosen, never before. */
const frontends: Record<"print" | "full" | "rpc", () => Promise<Frontend>> = {
  print: async () => (await import("../mode/print/frontend.ts")).printFrontend,
  full: async () => (await import("../mode/full/frontend.ts")).fullFrontend(),
  rpc: async () => (await import("../mode/rpc/frontend.ts")).rpcFrontend,
};

/** A conversation: one prompt and out, or at a terminal. */
export const launch: Subcommand = {
  usage: "[options] [@file ...] [prompt]",
  about: "start a conversation; with -p: one answer",
  help: "screen",
  options: launchFlags,
  run: start,
};

async function start(argv: readonly string[], io: Io, all: Subcommands): Promise<Ended> {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags } = parsed.value;
  if (flags.version) return (await import("./help/version.ts")).version.run([], io, all);

  const chosen = await frontendFor(flags, io);
  const frontend = await frontends[chosen]();
  const printed = (["output-schema", "receipt"] as const).find((name) => flags[name] !== undefined);
  const refusal = chosen !== "print" && printed ? `--${printed} goes with -p` : frontend.refuses(flags);
  if (refusal !== undefined) return usage(io, refusal);
  if (flags.resume === "" && !frontend.choose) return chooseSession(io, all);

  const opened = await openProject(flags, io);
  if (!opened.ok) return usage(io, opened.message);
  const project = opened.value;
  for (const warning of project.settings.warnings) complain(io, warning);
  const fault = flags.ci ? await sandboxFault(project, io) : undefined;
  if (fault !== undefined) return usage(io, `--ci needs a sandbox (${fault}); --sandbox off goes without`);
  return present(frontend, project, io, async () => {
    const request = await requestOf(project, parsed.value, frontend, io);
    return request.ok ? converse(request.value, frontend, io) : request;
  });
}

interface LaunchRequest {
  options: OpenOptions;
  prompt: LaunchPrompt | undefined;
  sessions: string;
}

/** Reads which session it is, and the prompt of the command line. Fails with `left` when a person chooses none. */
async function requestOf(
  project: Project,
  { flags, words, plain }: Arguments<typeof launchFlags>,
  { person, attend, ...frontend }: Frontend,
  io: Io,
): Promise<Result<LaunchRequest, string>> {
  const sessions = sessionsFolder(project.settings, io);
  const chosen = flags.resume === "" ? await frontend.choose?.(sessions) : undefined;
  if (flags.resume === "" && !chosen) return fail("left", "");
  const session = chosen ? ok(chosen) : sessionOf(flags, io.cwd, sessions);
  if (!session.ok) return session;
  const prompt = await spanned("words", () =>
    readPrompt({ words, plain, piped: person === "away" ? "read" : "ignore" }, io),
  );
  if (!prompt.ok) return prompt;
  if (person === "away" && !prompt.value)
    return fail("usage", 'nothing to do: give a prompt (pith -p "…"), or pipe one in');
  const system = promptOverrides(flags, io);
  if (!system.ok) return system;
  const schema = await schemaIn(flags["output-schema"], io);
  if (!schema.ok) return schema;
  const options: OpenOptions = {
    ...project,
    session: session.value,
    person,
    attend,
    otherwise: prompt.value ? undefined : frontend.otherwise,
    words: system.value,
    parts: schema.value && [schema.value],
  };
  return ok({ options, prompt: prompt.value, sessions });
}

async function converse(request: LaunchRequest, frontend: Frontend, io: Io): Promise<Result<number, string>> {
  const { options, prompt, sessions } = request;
  const { flags, person } = options;
  const opened = await openSlot(options, io);
  if (!opened.ok) return opened;
  const slot = opened.value;
  try {
    const next = endStartup();
    // A frontend that has the screen already gets the report at the end.
    const report = person === "there" && !frontend.begin ? timingReport() : undefined;
    if (report) io.err.write(report);
    if (person === "there" && next === "leave") return fail("left", "");
    const files = prompt?.files.length ? await slot.current.coder.draft.attachFiles(prompt.files, io.cwd) : undefined;
    if (files && !files.ok) return files;
    const whole = files ? prompt?.shown(files.value) : prompt;
    return ok(await spanned("run", () => frontend.run({ slot, prompt: whole, flags, sessions }, io)));
  } finally {
    await slot.close();
  }
}

async function frontendFor(flags: LaunchFlags, io: Io): Promise<keyof typeof frontends> {
  if (flags.mode === "rpc") return "rpc";
  if (flags.print || flags.mode || flags.ci) return "print";
  if (!(await io.isTerminal("in")) || !(await io.isTerminal("out"))) return "print";
  return "full";
}

/** The reason why commands would run without a sandbox where the settings want one. */
async function sandboxFault({ settings, cwd }: Project, io: Io): Promise<string | undefined> {
  if (settings.get("sandbox.mode") === "off") return undefined;
  const { home, userHome, env } = io;
  const signal = new AbortController().signal;
  const tried = await runInSandbox(["true"], { cwd, home, userHome, env, settings, tell: () => {} }, signal);
  return tried.ok ? undefined : tried.message;
}

/** The part that holds answers to the JSON schema in a file. */
async function schemaIn(
  file: string | undefined,
  io: Io,
): Promise<Result<NonNullable<OpenOptions["parts"]>[number] | undefined, string>> {
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

/** Lists the sessions to go on with; the next command names one. */
async function chooseSession(io: Io, all: Subcommands): Promise<number> {
  await (await import("./session/sessions.ts")).sessions.run(["--here"], io, all);
  return usage(io, "say which one to go on with: pith -r <the beginning of its id>");
}

async function spanned<T>(name: string, run: () => Promise<T>): Promise<T> {
  using _ = span(name);
  return await run();
}
