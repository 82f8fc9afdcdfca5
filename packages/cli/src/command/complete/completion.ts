import { noSuch } from "../../argv/unknown.ts";
import { exit } from "../../io/interrupt.ts";
import { usage } from "../../io/io.ts";
import { subcommand } from "../subcommand.ts";
import { shapesOf } from "./shape.ts";
import type { Script } from "./value.ts";

const scripts: Readonly<Record<string, () => Promise<Script>>> = {
  bash: async () => (await import("./bash.ts")).bashScript,
  zsh: async () => (await import("./zsh.ts")).zshScript,
  fish: async () => (await import("./fish.ts")).fishScript,
};
const shells = Object.keys(scripts);

/** A script for the shell to read, which needs no pith to complete. */
export const completion = subcommand({
  usage: shells.join("|"),
  about: "print a shell completion script",
  help: "setup",
  options: {},
  words: shells,
  maxWords: 1,
  async run({ words: [shell] }, io, all) {
    if (shell === undefined) return "usage";
    const script = Object.hasOwn(scripts, shell) ? await scripts[shell]?.() : undefined;
    if (!script) return usage(io, noSuch("shell", shell, shells));
    io.out.write(script(await shapesOf(all)));
    return exit.finished;
  },
});
