import type { AgentContext, ClientCapabilities } from "@agentclientprotocol/sdk";
import type { Options } from "./option.ts";

/** Who is on the other side, and what it can. */
export interface Client {
  context: AgentContext;
  capabilities: ClientCapabilities;
  options: Options;
}
