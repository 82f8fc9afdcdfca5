import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main } from "../pith.ts";
import type { Scratch } from "../scratch.ts";

/** A hostile answer to a request, which goes on for as long as it is read. */
export type Attack = (answer: ServerResponse) => void;

/** Says the same again and again, as fast as it is read. */
export function endless(
  text: string | Buffer,
  {
    first = "",
    status = 200,
    headers = {},
  }: { first?: string; status?: number; headers?: Record<string, string> } = {},
): Attack {
  const once = Buffer.from(text);
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / once.length) }, () => once));
  return (answer) => {
    answer.writeHead(status, { "content-type": "text/event-stream", ...headers });
    answer.write(first);
    const more = () => {
      while (answer.write(block));
    };
    answer.on("drain", more);
    more();
  };
}

/** A body that is small on the wire. */
export const packed =
  (body: Uint8Array, encoding: string, { status = 200, type = "text/event-stream" } = {}): Attack =>
  (answer) => {
    answer.writeHead(status, { "content-type": type, "content-encoding": encoding });
    answer.end(body);
  };

/** Something else each time, as fast as it is read. */
export const counting =
  (make: (n: number) => string): Attack =>
  (answer) => {
    answer.writeHead(200, { "content-type": "text/event-stream" });
    let n = 0;
    const more = () => {
      while (answer.write(Array.from({ length: 100 }, () => make(n++)).join("")));
    };
    answer.on("drain", more);
    more();
  };

export interface Flooded {
  url: string;
  requests(): number;
  /** Number of times the client has read all that was sent so far. */
  drained(): number;
  [Symbol.dispose](): void;
}

export async function serve(attack: Attack): Promise<Flooded> {
  let [requests, drained] = [0, 0];
  const server = createServer((request, answer) => {
    requests++;
    request.resume();
    answer.on("drain", () => drained++);
    attack(answer);
  });
  server.listen(0, "127.0.0.1");
  await until(() => server.listening, "the server");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    drained: () => drained,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A pith that runs, and the most memory it ever had. */
export function start(dir: Scratch, argv: readonly string[], env: Readonly<Record<string, string>>) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const child = Bun.spawn([process.execPath, main, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let peak = 0;
  const look = () => {
    try {
      const [, kb = "0"] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "latin1")) ?? [];
      peak = Math.max(peak, Number(kb) / 1024);
      // Kill it before it takes all memory: other tests need the machine.
      if (peak > 700) child.kill("SIGKILL");
    } catch {
      // The process has ended.
    }
  };
  const watch = setInterval(look, 20);
  const ended = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]).then(
    ([out, err]) => {
      clearInterval(watch);
      return { out, err, code: child.exitCode, signal: child.signalCode, peakMb: Math.round(peak) };
    },
  );
  return { child, ended };
}
