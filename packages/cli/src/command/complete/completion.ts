import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { usage } from "../../io/io.ts";
import type { Command } from "../command.ts";
import { shapes } from "./shape.ts";
import { type Script, shells } from "./value.ts";

const scripts: Readonly<Record<(typeof shells)[number], () => Promise<Script>>> = {
  bash: async () => (await import("./bash.ts")).bashScript,
  zsh: async () => (await import("./zsh.ts")).zshScript,
  fish: async () => (await import("./fish.ts")).fishScript,
};

/** `pith completion <shell>`: a script for the shell to read, which needs no pith to complete. */
export const completion: Command = async ([shell, ...more], io) => {
  if (shell === undefined || more.length > 0) return usage(io, `usage: pith completion ${shells.join("|")}`);
  const known = shells.find((name) => name === shell);
  if (!known) return usage(io, noSuch("shell", shell, shells));
  io.out.write((await scripts[known]())(await shapes()));
  return exit.finished;
};
