import type { AgentContext, ClientCapabilities } from "@agentclientprotocol/sdk";
import type { ConfigOptions } from "./option.ts";

/** The editor on the other side, and what it can. */
export interface AcpClient {
  context: AgentContext;
  capabilities: ClientCapabilities;
  options: ConfigOptions;
}

/** Options of a request to the client: it is waited for until the signal says so, or for so many milliseconds. */
export const until = (end: AbortSignal | number) => ({
  cancellationSignal: typeof end === "number" ? AbortSignal.timeout(end) : end,
  stopWaitingOnCancel: true,
});
