import { existsSync, readFileSync } from "node:fs";
import { type FullOptions, waitsFor } from "./full.ts";
import { envOf, program } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

let servers = 0;

/** Starts the full screen of pith in tmux; the result has the same functions as that of `full`. */
export function tmuxed(dir: Scratch, argv: readonly string[], { columns = 80, rows = 24, env = {} }: FullOptions = {}) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  // A server removes its socket when it ends, perhaps after the next one has begun.
  const socket = dir.at(`tmux${servers++}`);
  const ended = dir.at("tmp/ended");
  const tmux = (words: readonly string[], stdin?: string) =>
    Bun.spawnSync(["tmux", "-S", socket, ...words], { stdin: stdin === undefined ? "ignore" : Buffer.from(stdin) });
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const variables = Object.entries(envOf(dir, { LANG: "C.UTF-8", ...env })).map(([name, value]) => `${name}=${value}`);
  const command = ["env", "-i", "TERM=$TERM", "TMUX=$TMUX", ...variables.map(quoted)].join(" ");
  const pith = [...program, ...argv].map(quoted).join(" ");
  tmux(["-f", "/dev/null", "new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, "-c", dir.at("work"), "bash"]);
  tmux(["set", "-g", "status", "off"]);
  tmux(["respawn-pane", "-k", "-c", dir.at("work"), `${command} ${pith}; echo $? > ${quoted(ended)}; sleep 60`]);
  const seen = (...more: string[]) => tmux(["capture-pane", "-p", ...more]).stdout.toString();
  const grid = () => seen();
  const tape = () => seen("-S", "-5000").trimEnd();
  const waits = waitsFor(grid, tape);
  const type = (text: string) => {
    if (text === "") return;
    tmux(["load-buffer", "-"], text);
    tmux(["paste-buffer", "-r"]);
  };
  return {
    type,
    grid,
    tape,
    ...waits,
    resize: (wide: number, high: number) => void tmux(["resize-window", "-x", `${wide}`, "-y", `${high}`]),
    async leave(): Promise<number> {
      type("\x03\x03");
      await waits.wait(() => existsSync(ended) && readFileSync(ended, "utf8").endsWith("\n"), "the end of pith");
      return Number(readFileSync(ended, "utf8"));
    },
    [Symbol.dispose]: () => void tmux(["kill-server"]),
  };
}
