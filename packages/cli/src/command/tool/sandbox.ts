import { runInSandbox } from "@pith/coder";
import { plainText } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, unfinished, usage } from "../../io/io.ts";
import { openProject } from "../../open/project.ts";
import { subcommand } from "../subcommand.ts";

/** Runs a command for a person in the same sandbox as the model's commands. */
export const sandbox = subcommand({
  usage: "-- <command>",
  about: "run a command in the sandbox",
  help: "approval",
  options: {
    sandbox: { takes: "choice", as: "mode", of: ["workspace", "read-only"], about: "what it may write" },
    cwd: launchFlags.cwd,
  },
  async run({ flags, words }, io) {
    if (words.length === 0) return "usage";
    const project = await openProject(flags, io);
    if (!project.ok) return usage(io, project.message);
    const { cwd, settings } = project.value;
    const stop = new AbortController();
    using _ = io.interrupts.handle(() => stop.abort());
    const { home, userHome, env } = io;
    const tell = (text: string) => complain(io, text);
    const ran = await runInSandbox(words, { cwd, home, userHome, env, settings, tell }, stop.signal);
    if (!ran.ok) return unfinished(io, `there is no sandbox here: ${ran.message}`);
    for (const { path, what, text } of ran.value.violations) complain(io, plainText(`${path}, ${what}: ${text}`));
    return stop.signal.aborted ? exit.interrupted : ran.value.code;
  },
});
