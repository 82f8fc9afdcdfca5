import { runInSandbox } from "@pith/coder";
import { plainText } from "@pith/kit";
import { workDirectory } from "../../argv/directory.ts";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, usage } from "../../io/io.ts";
import { settingsIn } from "../../open/setting.ts";
import type { Command } from "../command.ts";

export const options = {
  sandbox: { takes: "choice", as: "mode", of: ["workspace", "read-only"], about: "what it may write" },
  cwd: { takes: "text", as: "dir", about: "work in this directory" },
} as const satisfies FlagTable;

/** `pith sandbox -- command`: behind the same wall as the model's commands, for people. */
export const sandbox: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  const command = [...words, ...plain];
  if (command.length === 0) return usage(io, "usage: pith sandbox [--sandbox <mode>] [--cwd <dir>] -- <command>");
  const directory = workDirectory(flags.cwd, io.cwd);
  if (!directory.ok) return usage(io, directory.message);
  const cwd = directory.value;
  const overrides = flags.sandbox === undefined ? {} : { "sandbox.mode": flags.sandbox };
  const settings = await settingsIn(io, { cwd, overrides });
  if (!settings.ok) return usage(io, settings.message);
  const stop = new AbortController();
  using _ = io.interrupts.handle(() => stop.abort());
  const { home, userHome, env } = io;
  const tell = (text: string) => complain(io, text);
  const ran = await runInSandbox(command, { cwd, home, userHome, env, settings: settings.value, tell }, stop.signal);
  if (!ran.ok) {
    complain(io, `there is no sandbox here: ${ran.message}`);
    return exit.unfinished;
  }
  for (const { path, what, text } of ran.value.violations) complain(io, plainText(`${path}, ${what}: ${text}`));
  return stop.signal.aborted ? exit.interrupted : ran.value.code;
};
