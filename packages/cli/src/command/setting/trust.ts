import { resolve } from "node:path";
import { loadTrustable } from "@pith/coder";
import { plainText, showPath } from "@pith/kit";
import { workDirectory } from "../../argv/directory.ts";
import { exit } from "../../io/interrupt.ts";
import { type Io, jsonLine, unfinished, usage } from "../../io/io.ts";
import { subcommand } from "../subcommand.ts";

/** Trusts what a project would run, as it stands now; `--revoke` takes that back. */
export const trust = subcommand({
  usage: "[<dir>]",
  about: "trust a project's settings as they are now",
  help: "trust",
  options: {
    revoke: { takes: "nothing", about: "stop trusting it" },
    show: { takes: "nothing", about: "only show what would be trusted, and what changed" },
    json: { takes: "nothing", about: "as JSON" },
  },
  maxWords: 1,
  async run({ flags, words: [dir] }, io) {
    if (flags.revoke && flags.show) return "usage";
    const form = flags.json ? "json" : "text";
    // A directory that was trusted may be gone.
    if (flags.revoke) return revoke(resolve(io.cwd, dir ?? "."), form, io);
    const cwd = workDirectory(dir, io.cwd);
    if (!cwd.ok) return usage(io, cwd.message.replace("--cwd: ", ""));
    return showOrPin(cwd.value, flags.show ? "show" : "pin", form, io);
  },
});

async function revoke(cwd: string, form: "json" | "text", io: Io): Promise<number> {
  const { trustable, unpin } = await loadTrustable();
  const done = await unpin(io.home, (await trustable(cwd, io.home)).folders);
  if (!done.ok) return unfinished(io, done.message);
  if (form === "json") io.out.write(jsonLine({ revoked: done.value }, io));
  else io.out.write(done.value > 0 ? "Nothing here is trusted any more.\n" : "Nothing here was trusted.\n");
  return exit.finished;
}

async function showOrPin(cwd: string, what: "show" | "pin", form: "json" | "text", io: Io): Promise<number> {
  const { trustable, pin } = await loadTrustable();
  const { folders, items, unused } = await trustable(cwd, io.home);
  if (what === "pin") {
    const done = await pin(io.home, folders, items);
    if (!done.ok) return unfinished(io, done.message);
  }
  if (items.length === 0 && form === "text") io.out.write("This project brings nothing that needs to be trusted.\n");
  for (const { kind, folder, name, standing, text, runs, diff } of items) {
    const file = resolve(folder, name);
    if (form === "json") {
      const content = diff === undefined ? { text } : { diff };
      io.out.write(jsonLine({ kind, file, standing, runs, ...content, pinned: what === "pin" }, io));
      continue;
    }
    const body = diff ?? (what === "show" && standing !== "trusted" ? text : "");
    const said = what === "show" ? standing : "trusted as it stands";
    io.out.write(plainText(`${showPath(cwd, file)} (${kind}${runs ? `; ${runs}` : ""}): ${said}\n${body}`));
  }
  if (unused !== undefined && form === "text") io.out.write(`${plainText(unused)}\n`);
  return exit.finished;
}
