import type { AgentContext, ClientCapabilities } from "@agentclientprotocol/sdk";
import type { ConfigOptions } from "./option.ts";

/** Who is on the other side, and what it can. */
export interface AcpClient {
  context: AgentContext;
  capabilities: ClientCapabilities;
  options: ConfigOptions;
}
