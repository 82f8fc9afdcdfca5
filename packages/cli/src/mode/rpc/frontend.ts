import { usage } from "../../io/io.ts";
import type { Frontend } from "../frontend.ts";

/** Another program holds the conversation: commands come as lines, and events go out as lines. */
export const rpcFrontend: Frontend = {
  person: "there",
  refuses(flags) {
    if (flags.print) return "-p and --mode rpc do not go together";
    if (flags.until) return "--until goes with -p";
    if (flags["max-time"]) return "--max-time goes with -p; a client sends abort";
    return flags.next ? "--next goes with -p; a client sends follow_up" : undefined;
  },
  async run({ prompt, slot }, io) {
    if (prompt) return usage(io, "in RPC mode prompts come as commands, not as arguments");
    return (await import("./rpc.ts")).runRpc(slot, io);
  },
};
