import { sleep } from "@pith/kit";
import { spawn } from "../platform.ts";
import { writeStdin } from "../write-stdin.ts";

/** An idle process that holds namespaces open. It ends with us: once nobody holds its input, it has read its last line. */
export interface Holder extends Disposable {
  /** The line that it printed when all was ready. */
  line: string;
  /** Settled when it is gone. */
  over: Promise<unknown>;
  /** Gives it something to read. */
  say(text: string): void;
}

/** Starts a program that prints a line of this form once it holds what it should; undefined where it does not. */
export async function openHolder(argv: readonly string[], form: RegExp): Promise<Holder | undefined> {
  const child = spawn([...argv], {
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  child.unref();
  const end = () => child.kill("SIGKILL");
  // Nobody is held up by a patience that was not needed.
  const done = new AbortController();
  const late = sleep(patienceMs, done.signal);
  const line = await Promise.race([firstLine(child.stdout), late, child.exited.then(() => "")]);
  done.abort();
  if (!form.test(line)) {
    end();
    return undefined;
  }
  const { stdin } = child;
  return { line, over: child.exited, say: (text) => stdin && writeStdin(stdin, text), [Symbol.dispose]: end };
}

const patienceMs = 3000;

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += Buffer.from(chunk).toString("latin1");
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}
