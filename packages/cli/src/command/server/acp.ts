import { launchFlags } from "../../argv/flag.ts";
import { usage } from "../../io/io.ts";
import { subcommand } from "../subcommand.ts";

const { model, thinking, approval, yolo, sandbox, trust, config, tools } = launchFlags;
const { smol, slow, plan, explore, "max-turns": turns, "session-dir": folder, "add-dir": roots } = launchFlags;

/** Speaks the Agent Client Protocol on stdin and stdout, for editors. */
export const acp = subcommand({
  usage: "",
  about: "talk to an editor by the Agent Client Protocol",
  help: "acp",
  options: {
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
  },
  async run({ flags, words }, io) {
    if (words.length > 0) return usage(io, "pith acp takes no words: the editor speaks");
    const { serveAcp } = await import("../../mode/acp/acp.ts");
    return serveAcp(flags, io);
  },
});
