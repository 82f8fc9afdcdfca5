import { methods } from "@agentclientprotocol/sdk";
import type { Settings, Terminals } from "@pith/coder";
import { defined, recordOf } from "@pith/kit";
import { type AcpClient, until } from "./client.ts";

/** Milliseconds for which a client that gets stuck holds up a command. */
const timeoutMs = 10_000;

/** The client's terminals, where it has some and the user wants commands to run there. */
export function terminalsOf(
  { context, capabilities }: AcpClient,
  settings: Pick<Settings, "get">,
  session: () => string | undefined,
): Terminals | undefined {
  if (settings.get("acp.terminal") !== "client" || !capabilities.terminal) return undefined;
  const { terminal } = methods.client;
  return {
    async open({ command, args, cwd, env, keeps: outputByteLimit }) {
      const sessionId = session();
      if (sessionId === undefined) throw new Error("the session is not open yet");
      const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
      const wanted = { sessionId, command, args: [...args], cwd, env: variables, outputByteLimit };
      // The library does not check what a client sends.
      const { terminalId: id } = recordOf(await context.request(terminal.create, wanted));
      if (typeof id !== "string") throw new Error("it did not name one");
      const params = { sessionId, terminalId: id };
      const released = new AbortController();
      return {
        id,
        async output() {
          const told = recordOf(await context.request(terminal.output, params, until(timeoutMs)));
          return { text: typeof told.output === "string" ? told.output : "", cut: told.truncated === true };
        },
        async exited() {
          const exit = recordOf(await context.request(terminal.waitForExit, params, until(released.signal)));
          const exitCode = typeof exit.exitCode === "number" ? exit.exitCode : undefined;
          return defined({ exitCode, signal: typeof exit.signal === "string" ? exit.signal : undefined });
        },
        async kill() {
          await context.request(terminal.kill, params, until(timeoutMs));
        },
        async release() {
          released.abort();
          await context.request(terminal.release, params, until(timeoutMs));
        },
      };
    },
  };
}
