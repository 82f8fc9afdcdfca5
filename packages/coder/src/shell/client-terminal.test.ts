import { expect, test } from "bun:test";
import { clientShell, type Terminal } from "./client-terminal.ts";

const shell = { cwd: "/work", fullCommand: (command: string) => command };

/** A terminal that says something and never ends by itself; how it was dealt with is written down. */
function terminal(text: string, cut: boolean): Terminal & { calls: string[] } {
  const calls: string[] = [];
  const over = Promise.withResolvers<{ signal: string }>();
  return {
    id: "one",
    calls,
    output: async () => ({ text, cut }),
    exited: () => over.promise,
    async kill() {
      calls.push("kill");
      over.resolve({ signal: "SIGKILL" });
    },
    async release() {
      calls.push("release");
    },
  };
}

const command = (signal: AbortSignal, said: string[]) => ({
  command: "yes",
  timeoutMs: Number.POSITIVE_INFINITY,
  signal,
  maxOutput: 10,
  onData: (bytes: Uint8Array) => void said.push(Buffer.from(bytes).toString()),
});

test("what says more than may be kept is ended, and said once", async () => {
  for (const [text, cut] of [
    ["x".repeat(11), false],
    ["the end", true],
  ] as const) {
    const one = terminal(text, cut);
    const said: string[] = [];
    const made = clientShell({ open: async () => one }, { program: "bash", hidden: [], shell });
    const started = await made.start(command(new AbortController().signal, said));
    expect(started.ok && (await started.value.done)).toMatchObject({ end: "limit", limit: { what: "output" } });
    expect(one.calls).toEqual(["kill", "release"]);
    expect(said.join("")).toEndWith(text);
    expect(said).toHaveLength(1);
  }
});

test("a terminal that comes after the call was given up is given back, and one that never comes is told", async () => {
  const one = terminal("", false);
  const opening = Promise.withResolvers<Terminal>();
  const stop = new AbortController();
  const late = clientShell({ open: () => opening.promise }, { program: "bash", hidden: [], shell });
  const started = late.start(command(stop.signal, []));
  stop.abort();
  expect(await started).toMatchObject({ ok: false });
  opening.resolve(one);
  await opening.promise.then(() => {});
  expect(one.calls).toEqual(["release"]);
  const none = clientShell(
    { open: () => Promise.reject(new Error("no room")) },
    { program: "bash", hidden: [], shell },
  );
  const refused = await none.start(command(new AbortController().signal, []));
  expect(refused).toMatchObject({ ok: false, message: "The client opened no terminal: no room" });
});
