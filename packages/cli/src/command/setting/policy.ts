import { approvals, loadPolicy } from "@pith/coder";
import { plainText } from "@pith/kit";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { jsonLine, usage } from "../../io/io.ts";
import type { Command } from "../command.ts";
import { type Column, inColumns, printList } from "../list.ts";

export const options = {
  json: { takes: "nothing", about: "as JSON" },
  call: { takes: "text", as: "id", about: "explain: this call of a session" },
  session: { takes: "text", as: "session", about: "explain: of this session; the last one here without it" },
  approval: { takes: "choice", as: "mode", of: approvals, about: "in this mode; auto without it" },
} as const satisfies FlagTable;

/**
 * `pith policy test`: what would be said to a command. It is judged in a project and a shell that are made up, so that
 * the answer is the same on every machine; nothing is run.
 */
export const policy: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  const [action, command, ...more] = [...words, ...plain];
  if (action === "explain" && flags.call !== undefined && command === undefined)
    return (await import("./explain.ts")).explainCall(
      { call: flags.call, session: flags.session, form: flags.json ? "json" : "text" },
      io,
    );
  if (action !== "test" || command === undefined || more.length > 0)
    return usage(io, "usage: pith policy test [--json] [--approval <mode>] '<command>'");
  const { verdictOn, freshState } = await loadPolicy();
  const { parts, ...said } = verdictOn(command, flags.approval ?? "auto", freshState);
  if (flags.json) {
    const told = parts.map(({ text, program, args, effects, severity, verdict }) => ({
      text,
      program: program ?? null,
      args: args.map((arg) => arg ?? null),
      effects,
      severity,
      verdict,
    }));
    const { verdict, confined, severity, rule, reason } = said;
    io.out.write(jsonLine({ verdict, confined, severity, parts: told, rule, reason }, io));
    return exit.finished;
  }
  const wall = said.confined === said.verdict ? "" : ` (${said.confined} behind a wall)`;
  const rows = parts.map(({ text, verdict, severity, effects }) => [
    verdict,
    severity,
    effects.join(", ") || "-",
    text,
  ]);
  await printList([plainText(`${said.verdict}${wall}: ${said.reason}`), ...inColumns(columns, rows, io)], io);
  return exit.finished;
};

const columns: readonly Column[] = [
  { head: "verdict" },
  { head: "severity" },
  { head: "does" },
  { head: "command", gives: true },
];
