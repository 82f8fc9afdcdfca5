import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { findSession, type Input, terminalId } from "@pith/agent";
import {
  type Coder,
  type Key,
  keys,
  openCoder,
  openSettings,
  type SessionChoice,
  type Settings,
  sessionsFolder,
  specOf,
  type Values,
} from "@pith/coder";
import { fail, ok, type Result, span } from "@pith/kit";
import { type LaunchFlags, launchFlags } from "../argv/flag.ts";
import { parseArguments } from "../argv/parse.ts";
import { otherPlaces, workPlace } from "../argv/place.ts";
import { noSuch } from "../argv/unknown.ts";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import type { LineFace } from "../mode/line/face.ts";
import { readPrompt } from "../prompt/prompt.ts";
import { isScripted, type Staged, setStage } from "../stage.ts";
import type { Command } from "./command.ts";

/** A conversation: one prompt and out, or line by line at a terminal. */
export const launch: Command = async (argv, io) => {
  const parsed = parseArguments(launchFlags, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (flags.version) return (await import("./version.ts")).version([], io);
  if (flags.resume === "") return chooseSession(io);

  const cwd = workPlace(flags.cwd, io.cwd);
  const overrides = overridesOf(flags, io);
  if (!cwd.ok) return usage(io, cwd.message);
  if (!overrides.ok) return usage(io, overrides.message);

  const face: Face =
    flags.print || flags.mode || !((await io.isTerminal("in")) && (await io.isTerminal("out"))) ? "print" : "line";
  if (face === "line" && flags["max-time"])
    return usage(io, "--max-time goes with -p: at a terminal, Ctrl+C stops a turn");
  if (face === "line" && flags.next) return usage(io, "--next goes with -p: at a terminal, type it");
  const settings = await spanned("settings", () =>
    openSettings({
      cwd: cwd.value,
      home: io.home,
      overlays: flags.config?.map((file) => resolve(io.cwd, file)),
      overrides: overrides.value,
    }),
  );
  if (!settings.ok) return usage(io, settings.message);
  for (const warning of settings.value.warnings) complain(io, warning);
  const session = sessionOf(flags, io.cwd, sessionsFolder(settings.value, io));
  if (!session.ok) return usage(io, session.message);

  const input = await spanned("prompt", () =>
    readPrompt({ words, plain, piped: face === "print" ? "read" : "ignore" }, io),
  );
  if (!input.ok) return usage(io, input.message);
  if (face === "print" && !input.value) return usage(io, 'nothing to do: give a prompt (pith -p "…"), or pipe one in');

  const desk = face === "line" ? (await import("../mode/line/face.ts")).lineFace(io) : undefined;
  const plan: Plan = {
    flags,
    face,
    desk,
    cwd: cwd.value,
    session: session.value,
    settings: settings.value,
    input: input.value,
  };
  const opened = await open(plan, io);
  if (!opened.ok) return usage(io, opened.message);
  using _stage = opened.value.stage;
  const { coder } = opened.value;
  try {
    return await converse(opened.value, plan, io);
  } finally {
    const rescued = await coder.rescue(tmpdir());
    if (rescued) complain(io, rescued);
    await spanned("close", () => coder.close());
  }
};

type Face = "print" | "line";

interface Plan {
  flags: LaunchFlags;
  face: Face;
  /** The terminal, where a person sits at one. */
  desk: LineFace | undefined;
  cwd: string;
  session: SessionChoice;
  settings: Settings;
  input: Input | undefined;
}

interface Opened {
  coder: Coder;
  stage: Staged["stage"];
  /** Nothing is connected, so the tour plays. */
  tour: boolean;
}

async function open(plan: Plan, io: Io): Promise<Result<Opened, string>> {
  const { flags, face, settings, session } = plan;
  const named = flags.model ?? (session.open === "new" || session.open === "none" ? settings.get("model") : undefined);
  const opened = await openOn(plan, named, io);
  const bare = face === "line" && !plan.input && session.open === "new" && named === undefined;
  if (opened.ok || opened.kind !== "model" || !bare) return opened;
  const tour = await openOn(plan, "faux/tour", io);
  return tour.ok ? ok({ ...tour.value, tour: true }) : tour;
}

async function openOn(
  { flags, face, desk, cwd, session, settings }: Plan,
  named: string | undefined,
  io: Io,
): Promise<Result<Opened, string>> {
  const scripted = named !== undefined && isScripted(named) ? await setStage(named, io.cwd) : undefined;
  if (scripted && !scripted.ok) return scripted;
  const stage = scripted?.value.stage;
  // The words of a built-in script are ours and its project is thrown away: there is nothing to ask about.
  const free = stage && scripted.value.from === "pith" && !flags.approval;
  const maxSteps = settings.get("turns.max");
  const terminal = terminalId(io.env, io.device?.());
  const coder = await openCoder({
    cwd: stage?.dir ?? cwd,
    home: io.home,
    userHome: io.userHome,
    env: io.env,
    settings,
    model: scripted?.value.model ?? flags.model,
    session,
    approval: free ? "yolo" : settings.get("approval.mode"),
    asks: face === "line",
    after: face === "line" ? "more" : "end",
    ...(desk && !flags["no-pty"] ? { face: desk.attend } : {}),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    maxCost: flags["max-cost"],
    maxTokens: flags["max-tokens"],
    ...(terminal === undefined ? {} : { terminal }),
    clock: io.clock,
  });
  if (coder.ok) return ok({ coder: coder.value, stage, tour: false });
  stage?.[Symbol.dispose]();
  return coder;
}

async function converse({ coder, tour }: Opened, { flags, desk, input, settings }: Plan, io: Io): Promise<number> {
  using _ = span("run");
  if (desk) {
    const [{ runLine }, { openAside }] = await Promise.all([
      import("../mode/line/line.ts"),
      import("../mode/line/aside.ts"),
    ]);
    const aside = openAside({
      home: io.home,
      cwd: coder.header.cwd,
      sessions: sessionsFolder(settings, io),
      clock: io.clock,
    });
    try {
      return await runLine({ coder, input, tour, keys: desk.keys, aside }, io);
    } finally {
      await aside.close();
    }
  }
  if (!input) return exit.usage;
  const { runPrint } = await import("../mode/print/print.ts");
  const printer =
    flags.mode === "json"
      ? (await import("../mode/print/json.ts")).jsonPrinter(coder.header, io)
      : (await import("../mode/print/text.ts")).textPrinter(io);
  const inputs = [input, ...(flags.next ?? []).map((text) => ({ text }))];
  return await runPrint({ coder, inputs, printer, maxTimeMs: flags["max-time"] }, io);
}

/** What there is to go on with; which one, the next command says. */
async function chooseSession(io: Io): Promise<number> {
  await (await import("./sessions.ts")).sessions(["--here"], io);
  return usage(io, "say which one to go on with: pith -r <the beginning of its id>");
}

function sessionOf(flags: LaunchFlags, cwd: string, sessions: string): Result<SessionChoice, string> {
  const chosen = (["continue", "resume", "fork", "no-session"] as const).filter((name) => flags[name] !== undefined);
  if (chosen.length > 1) return fail("usage", `${chosen.map((name) => `--${name}`).join(" and ")} do not go together`);
  const word = flags.resume ?? flags.fork;
  if (word === undefined) return ok({ open: flags.continue ? "last" : flags["no-session"] ? "none" : "new" });
  // As a search names its hits: the session, and the entry in it.
  const [, name = word, at] = /^(.+)#([\w.-]+)$/.exec(word) ?? [];
  const found = findSession(name, sessions, cwd);
  return found.ok
    ? ok({ open: flags.fork === undefined ? "file" : "fork", path: found.value, ...(at ? { at } : {}) })
    : found;
}

/** Flags and variables that are the last word on a setting. */
function overridesOf(flags: LaunchFlags, { env, cwd }: Io): Result<Values, "usage"> {
  if (flags.yolo && flags.approval && flags.approval !== "yolo")
    return fail("usage", `--yolo and --approval ${flags.approval} do not go together`);
  const tools = flags.tools === undefined ? ok({}) : onlyTools(flags.tools.split(",").map((name) => name.trim()));
  if (!tools.ok) return tools;
  const roots = otherPlaces(flags["add-dir"], cwd);
  if (!roots.ok) return roots;
  const approval = flags.yolo ? "yolo" : flags.approval;
  return ok({
    ...tools.value,
    ...roots.value,
    ...(env.PITH_MODEL ? { model: env.PITH_MODEL } : {}),
    ...modelOverrides(flags, env),
    ...(flags.thinking ? { thinking: flags.thinking } : {}),
    ...(flags["session-dir"] ? { "session.dir": resolve(cwd, flags["session-dir"]) } : {}),
    ...(approval ? { "approval.mode": approval } : {}),
    ...(flags["max-turns"] ? { "turns.max": flags["max-turns"] } : {}),
  });
}

/** Roles by flag, then by variable; times by variable only. What is no number is left to the settings. */
function modelOverrides(flags: LaunchFlags, env: Io["env"]): Values {
  const ms = (name: string) => (/^\d{1,9}$/.test(env[name]?.trim() ?? "") ? Number(env[name]) : undefined);
  const given: Values = {
    "roles.smol": flags.smol ?? env.PITH_SMOL_MODEL,
    "roles.slow": flags.slow ?? env.PITH_SLOW_MODEL,
    "roles.plan": flags.plan ?? env.PITH_PLAN_MODEL,
    "stream.firstEventTimeoutMs": ms("PITH_STREAM_FIRST_EVENT_TIMEOUT_MS"),
    "stream.idleTimeoutMs": ms("PITH_STREAM_IDLE_TIMEOUT_MS"),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ""));
}

function onlyTools(wanted: readonly string[]): Result<Values, "usage"> {
  const switches = keys.filter((key) => specOf(key).group === "Tools");
  const nameOf = (key: Key) => key.replace(/\.enabled$/, "");
  const odd = wanted.find((name) => !switches.some((key) => nameOf(key) === name));
  if (odd !== undefined) return fail("usage", `--tools: ${noSuch("tool", odd, switches.map(nameOf))}`);
  return ok(Object.fromEntries(switches.map((key) => [key, wanted.includes(nameOf(key))])));
}

async function spanned<T>(name: string, run: () => Promise<T>): Promise<T> {
  using _ = span(name);
  return await run();
}
