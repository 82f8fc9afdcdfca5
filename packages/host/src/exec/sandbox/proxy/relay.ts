import { evaluate, spawn } from "../../platform.ts";
import child from "./relay-child.ts" with { type: "text" };

export interface RelayOptions {
  /** Words before a program that is to be in the session's network. */
  enter: readonly string[];
  /** The socket outside that connections are handed to. */
  socket: string;
  /** The port to listen at, there; any free one unless given. */
  port?: number;
}

export interface Relay extends Disposable {
  port: number;
}

/** Takes connections in the session's network and hands them to a socket outside; undefined where it cannot listen. */
export async function openRelay({ enter, socket, port = 0 }: RelayOptions): Promise<Relay | undefined> {
  const { argv, env } = evaluate(child);
  const relay = spawn([...enter, ...argv, String(port), socket], {
    cwd: "/",
    env,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  relay.unref();
  let said = "";
  for await (const chunk of relay.stdout) {
    said += Buffer.from(chunk).toString("latin1");
    if (said.includes("\n")) break;
  }
  const end = () => void relay.kill("SIGKILL");
  if (/^[1-9]\d*\n/.test(said)) return { port: Number.parseInt(said, 10), [Symbol.dispose]: end };
  end();
  return undefined;
}
