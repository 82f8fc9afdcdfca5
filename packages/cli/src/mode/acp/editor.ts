import { methods } from "@agentclientprotocol/sdk";
import type { Editor } from "@pith/coder";
import { isRecord } from "@pith/kit";
import { type AcpClient, until } from "./client.ts";

/** Milliseconds for which a client that gets stuck holds up a call. */
const timeoutMs = 5000;

/** The files that a client has open, as far as it lets us see and change them. */
export function editorOf(
  { context, capabilities: { fs } }: AcpClient,
  session: () => string | undefined,
): Editor | undefined {
  if (!fs?.readTextFile) return undefined;
  const { readTextFile, writeTextFile } = methods.client.fs;
  return {
    async text(path) {
      const sessionId = session();
      if (sessionId === undefined) return undefined;
      const read: unknown = await context.request(readTextFile, { sessionId, path }, until(timeoutMs)).catch(() => {});
      return isRecord(read) && typeof read.content === "string" ? read.content : undefined;
    },
    async save(path, content) {
      const sessionId = session();
      if (sessionId === undefined || !fs.writeTextFile) return false;
      const written = context.request(writeTextFile, { sessionId, path, content }, until(timeoutMs));
      return written.then(
        () => true,
        () => false,
      );
    },
  };
}
