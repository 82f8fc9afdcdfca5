import { methods } from "@agentclientprotocol/sdk";
import type { Settings, Terminals } from "@pith/coder";
import type { AcpClient } from "./client.ts";

/** A client that gets stuck holds no command up for longer. */
const patienceMs = 10_000;

/** The client's terminals, where it has some and the user wants commands to run there. */
export function terminalsOf(
  { context, capabilities }: AcpClient,
  settings: Pick<Settings, "get">,
  session: () => string | undefined,
): Terminals | undefined {
  if (settings.get("acp.terminal") !== "client" || !capabilities.terminal) return undefined;
  const { terminal } = methods.client;
  const waits = () => ({ cancellationSignal: AbortSignal.timeout(patienceMs), stopWaitingOnCancel: true });
  return {
    async open({ command, args, cwd, env, keeps }) {
      const sessionId = session();
      if (sessionId === undefined) throw new Error("the session is not open yet");
      const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
      const wanted = { sessionId, command, args: [...args], cwd, env: variables, outputByteLimit: keeps };
      // What a client sends is not looked at before.
      const { terminalId: id } = ((await context.request(terminal.create, wanted)) ?? {}) as { terminalId?: unknown };
      if (typeof id !== "string") throw new Error("it did not name one");
      const which = { sessionId, terminalId: id };
      const over = new AbortController();
      return {
        id,
        async output() {
          const said: { output?: unknown; truncated?: unknown } = await context.request(
            terminal.output,
            which,
            waits(),
          );
          return { text: typeof said?.output === "string" ? said.output : "", cut: said?.truncated === true };
        },
        async exited() {
          const until = { cancellationSignal: over.signal, stopWaitingOnCancel: true };
          const said = await context.request(terminal.waitForExit, which, until);
          const { exitCode, signal } = (said ?? {}) as { exitCode?: unknown; signal?: unknown };
          return {
            ...(typeof exitCode === "number" && { exitCode }),
            ...(typeof signal === "string" && { signal }),
          };
        },
        async kill() {
          await context.request(terminal.kill, which, waits());
        },
        async release() {
          over.abort();
          await context.request(terminal.release, which, waits());
        },
      };
    },
  };
}
