import { launchFlags } from "../../argv/flag.ts";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { usage } from "../../io/io.ts";
import type { Command } from "../command.ts";

const { model, thinking, approval, yolo, sandbox, trust, config, tools } = launchFlags;
const { smol, slow, plan, explore, "max-turns": turns, "session-dir": folder, "add-dir": roots } = launchFlags;

export const options = {
  model,
  thinking,
  smol,
  slow,
  plan,
  explore,
  approval,
  yolo,
  sandbox,
  trust,
  tools,
  "max-turns": turns,
  "session-dir": folder,
  "add-dir": roots,
  config,
} as const satisfies FlagTable;

/** Speaks the Agent Client Protocol on stdin and stdout, for editors. */
export const acp: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  if (parsed.value.words.length > 0) return usage(io, "pith acp takes no words: the editor speaks");
  const { serveAcp } = await import("../../mode/acp/acp.ts");
  return serveAcp(parsed.value.flags, io);
};
