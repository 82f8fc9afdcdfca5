import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Question } from "@pith/agent";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Values } from "../../setting/schema.ts";
import { coderIn, resultsOf } from "../../test/open.ts";
import { wantedPorts } from "./local-ports.ts";

const lacking = Bun.which("bwrap") === null;

interface How {
  answer?: Answer;
  set?: Values;
}

async function run(dir: Scratch, commands: readonly string[], { answer, set }: How = {}) {
  const calls = commands.map((command) => ({ calls: [{ tool: "bash", input: { command } }] }));
  const asked: Question[] = [];
  const coder = await coderIn(dir, [...calls, { text: "Done." }], {
    approval: "auto",
    asks: answer !== undefined,
    ...(set && { set }),
  });
  coder.subscribe((event) => {
    if (event.type !== "question" || !answer) return;
    asked.push(event.question);
    coder.answer(event.question.id, answer);
  });
  await coder.send({ text: "go" });
  const results = resultsOf(coder);
  const { file } = coder;
  await coder.close();
  return { asked, results, record: readFileSync(file ?? "", "utf8") };
}

async function serverHere(): Promise<{ port: number; url: string } & AsyncDisposable> {
  const server = createServer((_, response) => void response.end("hello from here")).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() };
}

test.skipIf(lacking)("a port of this machine that a command did not reach is offered once, and opened", async () => {
  using dir = scratch();
  await using server = await serverHere();
  const curl = `curl -s ${server.url}`;
  const node = `node -e 'fetch("http://localhost:${server.port}").then(async (r) => console.log(await r.text()))'`;
  const { asked, results } = await run(dir, [curl, curl, node], { answer: { say: "yes", option: "session" } });
  expect(asked.map(({ text }) => text)).toEqual([expect.stringContaining(`port ${server.port} of this machine`)]);
  expect(results[0]).toContain("opened it now");
  expect(results[1]).toContain("hello from here");
  expect(results[2]).toContain("hello from here");
});

test.skipIf(lacking)("a yes for the project holds in its next session, and in no other project", async () => {
  using dir = scratch();
  await using server = await serverHere();
  const command = `curl -s ${server.url}`;
  await run(dir, [command], { answer: { say: "yes", option: "project" } });
  expect(readFileSync(dir.at("home/grants.yml"), "utf8")).toContain(`localhost:${server.port}`);
  expect((await run(dir, [command])).results[0]).toContain("hello from here");
  using other = scratch();
  expect((await run(other, [command])).results[0]).not.toContain("hello");
});

test.skipIf(lacking)(
  "where nobody is asked, and after a no, the result names the setting that opens the port",
  async () => {
    using dir = scratch();
    await using server = await serverHere();
    const command = `curl -s ${server.url}`;
    const alone = await run(dir, [command]);
    expect(alone.results[0]).toContain(`sandbox.localhost: [${server.port}]`);
    expect(alone.record).toContain(`"blocked":["port ${server.port} of this machine`);
    // Nothing came from there that a stranger could have written.
    expect(alone.record).not.toContain('"origin"');
    const refused = await run(dir, [command, command], { answer: { say: "no" } });
    expect(refused.asked).toHaveLength(1);
    expect(refused.results[1]).toContain(`sandbox.localhost: [${server.port}]`);
    for (const setting of [`sandbox.localhost: [1, ${server.port}]`, `sandbox.localhost: ${server.port}`]) {
      dir.write({ "home/config.yml": `${setting}\n` });
      const set = await run(dir, [command]);
      expect([setting, set.results[0]]).toEqual([setting, "hello from here"]);
      expect(set.record).toContain('"origin"');
    }
  },
);

test.skipIf(lacking)("a server that a job of the session runs is reached, whatever listens outside", async () => {
  using dir = scratch();
  await using server = await serverHere();
  const serve = `require("http").createServer((q, r) => r.end("from inside")).listen(${server.port})`;
  const inside = `node -e '${serve}' & sleep 1`;
  const { asked, results } = await run(dir, [`${inside}; curl -s ${server.url}`], {
    answer: { say: "yes", option: "session" },
  });
  expect([asked, results[0]]).toEqual([[], expect.stringContaining("from inside")]);
});

test("ports come from the words of a command, from errors, and from files of the project", () => {
  using dir = scratch();
  const failed = (command: string, text: string) =>
    wantedPorts(
      { kind: "run", data: { command, cwd: dir.path, durationMs: 1, confined: true }, text, failed: true },
      dir.path,
    );
  expect(failed("curl localhost:3000/x", "")).toEqual([3000]);
  expect(failed("curl https://[::1]/ http://127.0.0.1", "")).toEqual([443, 80]);
  expect(failed("npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432")).toEqual([5432]);
  expect(
    failed("psql", 'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused'),
  ).toEqual([5432]);
  expect(failed("npm test", "expected http://localhost:3000 to equal x")).toEqual([]);
  dir.write({
    "compose.yml": 'services:\n  db:\n    ports:\n      - "5433:5432"\n      - 127.0.0.1:6379:6379\n',
    ".env": "DATABASE_URL=postgres://localhost:5434/x\nPORT=8080\n",
    "package.json": '{"scripts":{"dev":"vite --port 5174"}}',
  });
  expect(failed("npm test", "no connection: refused").toSorted()).toEqual([5174, 5433, 5434, 6379, 8080]);
  expect(failed("npm test", "1 failed")).toEqual([]);
});
