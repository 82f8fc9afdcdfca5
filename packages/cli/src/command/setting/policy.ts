import { approvals, loadPolicy } from "@pith/coder";
import { plainText } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { jsonLine, usage } from "../../io/io.ts";
import { openProject } from "../../open/project.ts";
import { type Column, inColumns, printList } from "../list.ts";
import { subcommand } from "../subcommand.ts";

/**
 * Judges a command without running it, in a made-up project and shell, so that the answer is the same on every machine,
 * or here by the user's own rules; or explains a call of a session.
 */
export const policy = subcommand({
  usage: "test [--mine] '<command>' | explain --call <id>",
  about: "what pith would say to a command, and why",
  help: "approval",
  options: {
    json: { takes: "nothing", about: "as JSON" },
    call: { takes: "text", as: "id", about: "explain: this call of a session" },
    session: { takes: "text", as: "session", about: "explain: of this session; the last one here without it" },
    approval: { takes: "choice", as: "mode", of: approvals, about: "in this mode; auto without it" },
    mine: { takes: "nothing", about: "test: use your rules, this project and your mode" },
    cwd: launchFlags.cwd,
    config: launchFlags.config,
  },
  words: ["test", "explain"],
  maxWords: 2,
  async run({ flags, words: [action, command] }, io) {
    if (action === "explain" && flags.call !== undefined && command === undefined)
      return (await import("./explain.ts")).explainCall(
        { call: flags.call, session: flags.session, form: flags.json ? "json" : "text" },
        io,
      );
    if (action !== "test" || command === undefined) return "usage";
    const { verdictOn, verdictHere, freshState } = await loadPolicy();
    const project = flags.mine ? await openProject({ cwd: flags.cwd, config: flags.config }, io) : undefined;
    if (project && !project.ok) return usage(io, project.message);
    const { parts, ...judged } = project
      ? await verdictHere(command, flags.approval, { ...io, ...project.value })
      : verdictOn(command, flags.approval ?? "auto", freshState);
    if (flags.json) {
      const rows = parts.map(({ text, program = null, args, effects, severity, verdict }) => {
        return { text, program, args: args.map((arg) => arg ?? null), effects, severity, verdict };
      });
      const { verdict, confined, severity, rule, reason } = judged;
      io.out.write(jsonLine({ verdict, confined, severity, parts: rows, rule, reason }, io));
      return exit.finished;
    }
    const sandboxed = judged.confined === judged.verdict ? "" : ` (${judged.confined} in a sandbox)`;
    const rows = parts.map(({ text, verdict, severity, effects }) => {
      return [verdict, severity, effects.join(", ") || "-", text];
    });
    const head = plainText(`${judged.verdict}${sandboxed}: ${judged.reason}`);
    await printList([head, ...inColumns(columns, rows, io)], io);
    return exit.finished;
  },
});

const columns: readonly Column[] = [
  { head: "verdict" },
  { head: "severity" },
  { head: "does" },
  { head: "command", gives: true },
];
