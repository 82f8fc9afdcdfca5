import { methods } from "@agentclientprotocol/sdk";
import type { Editor } from "@pith/coder";
import type { AcpClient } from "./client.ts";

/** A client that gets stuck holds no call up for longer. */
const patienceMs = 5000;

/** The files that a client has open, as far as it lets us see and change them. */
export function editorOf(
  { context, capabilities: { fs } }: AcpClient,
  session: () => string | undefined,
): Editor | undefined {
  if (!fs?.readTextFile) return undefined;
  const waits = () => ({ cancellationSignal: AbortSignal.timeout(patienceMs), stopWaitingOnCancel: true });
  return {
    async text(path) {
      const sessionId = session();
      if (sessionId === undefined) return undefined;
      const asked = context.request(methods.client.fs.readTextFile, { sessionId, path }, waits());
      return asked.then(
        // What a client sends is not looked at before.
        (said: { content?: unknown } | null) => (typeof said?.content === "string" ? said.content : undefined),
        () => undefined,
      );
    },
    async save(path, content) {
      const sessionId = session();
      if (sessionId === undefined || !fs.writeTextFile) return false;
      const asked = context.request(methods.client.fs.writeTextFile, { sessionId, path, content }, waits());
      return asked.then(
        () => true,
        () => false,
      );
    },
  };
}
