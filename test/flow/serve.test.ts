// Sessions that live in a server: watched, answered and gone on with from several places.
import { afterAll, expect, test } from "bun:test";
import { chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { attach } from "../../packages/cli/src/mode/serve/attached.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { ended, serving } from "../serving.ts";

afterAll(ended);

const post = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });
type Said = Record<string, never> & { type: string; id?: string };

/** Reads events until one is found. */
async function heard(response: Response, wanted: (line: Said) => boolean) {
  const lines: { id: string | undefined; line: Said }[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data === undefined) continue;
      lines.push({ id: /^id: (.*)$/m.exec(part)?.[1], line: JSON.parse(data) });
    }
    if (lines.some(({ line }) => wanted(line))) break;
  }
  return lines;
}

test("a session is opened, asked, watched by two, answered by the first, and a reconnect misses nothing", async () => {
  using dir = scratch();
  const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }] };
  const server = await serving(dir, [
    ...scripted(dir, write, { text: "Done." }, { text: "More." }),
    "--approval",
    "ask",
  ]);
  expect(statSync(`${server.home}/serve.sock`).mode & 0o777).toBe(0o600);
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const at = `/v1/sessions/${made.sessionId}`;
  const one = await server.get(`${at}/events`);
  const asked = heard(one, ({ type }) => type === "question");
  expect(await (await server.get(`${at}/rpc`, post({ type: "prompt", message: "go", id: 1 }))).json()).toMatchObject({
    success: true,
    id: 1,
  });
  const lines = await asked;
  expect(lines[0]?.line).toMatchObject({ type: "scene", state: "idle", cwd: dir.at("work") });
  // A later client gets the open question.
  const late = await heard(await server.get(`${at}/events`), ({ type }) => type === "scene");
  const [question] = (late[0]?.line as unknown as { questions?: { id: string }[] })?.questions ?? [];
  expect(question).toMatchObject({ type: "question", toolName: "write" });
  const changes = await (await server.get(`${at}/changes/${encodeURIComponent(question?.id ?? "")}`)).json();
  expect(changes).toMatchObject([{ change: "added", patch: expect.stringContaining("+x") }]);
  const last = lines.findLast(({ id }) => id !== undefined)?.id ?? "";
  const answer = { type: "answer", question: question?.id, option: "yes" };
  expect((await (await server.get(`${at}/rpc`, post(answer))).json()).success).toBe(true);
  expect((await (await server.get(`${at}/rpc`, post(answer))).json()).success).toBe(false);
  await until(() => existsSync(dir.at("work/a.txt")), "the file");
  const state = async () => (await (await server.get("/v1/sessions")).json()).sessions[0];
  while ((await state()).running) await Bun.sleep(5);
  const again = await heard(
    await server.get(`${at}/events`, { headers: { "last-event-id": last } }),
    ({ type }) => type === "scene",
  );
  const missed = (again[0]?.line as unknown as { entries?: { message?: { role: string } }[] })?.entries ?? [];
  expect(missed.flatMap(({ message }) => message?.role ?? [])).toEqual(["toolResult", "assistant"]);
  expect((await pith(dir, ["serve", "list"])).out).toContain("idle");
  const other = await pith(dir, ["-p", "hi", "-r", made.sessionId.slice(0, 13), "--model", dir.at("script.json")]);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining("pith attach") });
  const passed = await pith(dir, ["-p", "hi", "-c", "--model", dir.at("script.json")]);
  expect(passed.err).toMatch(/in use by process \d+\..* pith attach .*\n.*a new one begins/);
  expect((await pith(dir, ["serve", "stop"])).code).toBe(0);
  expect(existsSync(`${server.home}/serve.sock`)).toBe(false);
});

test("a reader that is cut off between any two lines misses nothing when it comes again", async () => {
  using dir = scratch();
  const look = { text: "I look.", calls: [{ tool: "read", input: { path: "." } }] };
  const server = await serving(dir, scripted(dir, look, { text: "Done." }));
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const at = `/v1/sessions/${made.sessionId}`;
  const hearing = heard(await server.get(`${at}/events`), ({ type }) => type === "agent_settled");
  await server.get(`${at}/rpc`, post({ type: "prompt", message: "go" }));
  const lines = await hearing;
  const ids = lines.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const whole = (said: typeof lines) => said.filter(({ line }) => line.type === "message_end").length;
  for (let cut = 1; cut < lines.length; cut++) {
    const before = lines.slice(0, cut);
    const last = before.findLast(({ id }) => id !== undefined)?.id ?? "none";
    const again = await heard(
      await server.get(`${at}/events`, { headers: { "last-event-id": last } }),
      ({ type }) => type === "scene",
    );
    const entries = (again[0]?.line as unknown as { entries?: { type: string }[] })?.entries ?? [];
    const messages = entries.filter(({ type }) => type === "message").length;
    expect([cut, whole(before) + messages]).toEqual([cut, whole(lines)]);
  }
  await server.stop();
});

test("a record with lines in its ids cannot speak as the server", async () => {
  using dir = scratch();
  const id = "01a1ee33-40cb-7c8a-9d24-561a911e9d3a";
  const at = { timestamp: "2026-11-18T10:28:18.763Z" };
  const message = { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 };
  const evil = 'x\ndata: {"type":"notice","text":"forged"}\n\nid: y';
  const record = [
    { type: "session", version: 3, id, cwd: dir.at("work"), ...at },
    { type: "message", id: evil, parentId: null, message, ...at },
  ];
  dir.write({ "stranger.jsonl": record.map((line) => `${JSON.stringify(line)}\n`).join("") });
  const server = await serving(dir, scripted(dir, { text: "Done." }));
  const order = { cwd: dir.at("work"), session: dir.at("stranger.jsonl") };
  expect((await server.get("/v1/sessions", post(order))).status).toBe(201);
  for (const headers of [{}, { "last-event-id": "none" }] as Record<string, string>[]) {
    const lines = await heard(await server.get(`/v1/sessions/${id}/events`, { headers }), () => true);
    expect(lines.map(({ id, line }) => [id, line.type])).toEqual([[undefined, "scene"]]);
  }
  await server.stop();
});

test("a socket that is a link, or another user's, is no server of ours, and nothing is told to it", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.pith/.keep": "" });
  let asked = 0;
  const there = dir.at("theirs.sock");
  const stranger = Bun.serve({
    unix: there,
    fetch() {
      asked++;
      return Response.json({ pid: 1, sessions: [] });
    },
  });
  const socket = dir.at("home/.pith/serve.sock");
  const isAsked = async () => {
    const before = asked;
    expect(await pith(dir, ["serve", "list"])).toMatchObject({ code: 1, err: expect.stringContaining("no server") });
    expect((await pith(dir, ["serve", "stop"])).code).toBe(1);
    expect((await attach({ socket, session: "any", undo: () => undefined, lost: () => {} })).ok).toBe(false);
    return asked > before;
  };
  symlinkSync(there, socket);
  expect(await isAsked()).toBe(false);
  expect(await pith(dir, ["serve"])).toMatchObject({ code: 2, err: expect.stringContaining("no socket") });
  // Only root can give a file away.
  if (process.getuid?.() === 0) {
    rmSync(socket);
    renameSync(there, socket);
    chownSync(socket, 65534, 65534);
    expect(await isAsked()).toBe(false);
  }
  await stranger.stop(true);
});

test("of several servers that find a dead one's socket at once, one begins and can be reached", async () => {
  using dir = scratch();
  const dead = await serving(dir, scripted(dir, { text: "Done." }));
  process.kill(dead.pid, "SIGKILL");
  await until(() => !existsSync(`/proc/${dead.pid}/exe`), "its end");
  const argv = [process.execPath, main, "--", "serve", ...scripted(dir, { text: "Done." })];
  const all = Array.from({ length: 5 }, () =>
    Bun.spawn(argv, { cwd: dir.at("work"), env: envOf(dir), stdout: "ignore", stderr: "ignore" }),
  );
  const ends = new Set<Bun.Subprocess>();
  for (const one of all) void one.exited.then(() => ends.add(one));
  await until(() => ends.size >= 4, "the others to give up");
  const left = all.filter((one) => !ends.has(one));
  expect(left).toHaveLength(1);
  expect((await (await dead.get("/v1/sessions")).json()).pid).toBe(left[0]?.pid);
  for (const one of left) one.kill("SIGTERM");
  await Promise.all(all.map(({ exited }) => exited));
}, 30_000);

test("a session of the server cannot be left for another, and no copy is made in vain", async () => {
  using dir = scratch();
  const server = await serving(dir, scripted(dir, { text: "Done." }));
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const at = `/v1/sessions/${made.sessionId}`;
  const hearing = heard(await server.get(`${at}/events`), ({ type }) => type === "agent_settled");
  await server.get(`${at}/rpc`, post({ type: "prompt", message: "go" }));
  await hearing;
  const records = () => [...new Bun.Glob("**/*.jsonl").scanSync(`${server.home}/sessions`)].length;
  expect(records()).toBe(1);
  for (const command of [{ type: "clone" }, { type: "new_session" }, { type: "switch_session", sessionPath: "/x" }])
    expect(await (await server.get(`${at}/rpc`, post(command))).json()).toMatchObject({ success: false });
  expect(records()).toBe(1);
  // Two concurrent requests for a session open one; a wrong name opens none.
  await server.get(at, { method: "DELETE" });
  const again = () => server.get("/v1/sessions", post({ cwd: dir.at("work"), session: made.sessionId }));
  const both = await Promise.all([again(), again()]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  for (const wrong of [{ session: 7 }, { model: ["x"] }])
    expect((await server.get("/v1/sessions", post({ cwd: dir.at("work"), ...wrong }))).status).toBe(400);
  await server.stop();
});

test("only who has a token is let in, from its own page, and the second token may only watch", async () => {
  using dir = scratch();
  const server = await serving(dir, scripted(dir, { text: "Hello." }));
  const [full = "", watch = ""] = server.tokens;
  const bearer = (token: string, more = {}) => ({ headers: { authorization: `Bearer ${token}`, ...more } });
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const rpc = `/v1/sessions/${made.sessionId}/rpc`;
  expect((await server.web("/v1/sessions")).status).toBe(401);
  expect((await server.web("/v1/sessions", bearer("x".repeat(43)))).status).toBe(401);
  expect((await server.web("/v1/sessions", bearer(full))).status).toBe(200);
  expect((await server.web("/v1/sessions", bearer(watch))).status).toBe(200);
  expect((await server.web(rpc, { ...post({ type: "get_state" }), ...bearer(watch) })).status).toBe(403);
  expect((await server.web(`/v1/sessions/${made.sessionId}/mirror`, bearer(watch))).status).not.toBe(200);
  expect((await server.web("/v1/sessions", bearer(full, { origin: "http://evil.example" }))).status).toBe(403);
  expect((await server.web("/v1/sessions", bearer(full, { host: "evil.example" }))).status).toBe(403);
  expect((await server.web("/", { headers: { host: "evil.example" } })).status).toBe(403);
  const page = await server.web("/");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const text = await page.text();
  expect([text.includes(full), text.includes(watch), /https?:\/\//.test(text)]).toEqual([false, false, false]);
  const log = readFileSync(`${server.home}/logs/pith.log`, "utf8");
  expect(log).toContain("a wrong token");
  expect([log.includes(full), log.includes("x".repeat(43))]).toEqual([false, false]);
  const bad = await server.get(rpc, { method: "POST", body: "{half" });
  expect(bad.status).toBe(400);
  expect(await (await server.get(rpc, post({ type: "nothing" }))).json()).toMatchObject({ success: false });
  expect(await server.stop()).toBe(0);
});

test("nothing listens beyond this machine unless that was said twice, and one server is enough", async () => {
  using dir = scratch();
  const far = await pith(dir, ["serve", "--web", "--address", "0.0.0.0"]);
  expect(far).toMatchObject({ code: 2, err: expect.stringContaining("--allow-remote") });
  const server = await serving(dir, scripted(dir, { text: "Hello." }));
  expect(await pith(dir, ["serve"])).toMatchObject({ code: 2, err: expect.stringContaining("already") });
  process.kill(server.pid, "SIGKILL");
  while ((await pith(dir, ["serve", "list"])).code !== 1) await Bun.sleep(5);
  // Remains of a killed server do not block the next one.
  const next = await serving(dir, scripted(dir, { text: "Hello." }));
  expect(await next.stop()).toBe(0);
});

test("a face that is attached shows what stands, answers, and may be killed without a loss", async () => {
  using dir = scratch();
  const write = { text: "I write.", calls: [{ tool: "write", input: { path: "a.txt", content: "x\n" } }] };
  const script = scripted(dir, { text: "First." }, write, { text: "Done." });
  const server = await serving(dir, [...script, "--approval", "ask"]);
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  await server.get(`/v1/sessions/${made.sessionId}/rpc`, post({ type: "prompt", message: "say first" }));
  const face = () => {
    let screen = "";
    const child = Bun.spawn([process.execPath, main, "--", "attach", "--line"], {
      cwd: dir.at("work"),
      env: envOf(dir, { NO_COLOR: "1", TERM: "xterm" }),
      terminal: {
        cols: 90,
        rows: 24,
        data: (_, data) => {
          screen += Buffer.from(data).toString();
        },
      },
    });
    const sees = (text: string) => until(() => screen.includes(text), `${text} in ${screen}`);
    return { child, sees, type: (text: string) => child.terminal?.write(text) };
  };
  const one = face();
  await one.sees("First.");
  one.type("write it\r");
  await one.sees("Esc no");
  one.child.kill("SIGKILL");
  await one.child.exited;
  const two = face();
  await two.sees("Esc no");
  // A key that comes before the question could be read is dropped.
  let pressed = Number.NEGATIVE_INFINITY;
  await until(() => {
    if (performance.now() - pressed > 500) {
      two.type("y");
      pressed = performance.now();
    }
    return existsSync(dir.at("work/a.txt"));
  }, "the file");
  await two.sees("Done.");
  two.type("\x04");
  expect(await two.child.exited).toBe(0);
  expect((await (await server.get("/v1/sessions")).json()).sessions).toHaveLength(1);
  expect(await server.stop()).toBe(0);
});

test("a face or a reader that stands still is let go, and the session goes on without it", async () => {
  using dir = scratch();
  const long = { text: "word ".repeat(1_200_000) };
  const server = await serving(dir, scripted(dir, ...Array.from({ length: 4 }, () => long), { text: "End." }));
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const at = `/v1/sessions/${made.sessionId}`;
  const gone = ["mirror", "events"].map((what) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect(`${server.home}/serve.sock`, () => {
      socket.write(`GET ${at}/${what} HTTP/1.1\r\nHost: pith\r\n\r\n`);
      socket.once("data", () => socket.pause());
    });
    socket.on("close", () => resolve());
    return { socket, promise };
  });
  for (const { socket } of gone) await until(() => socket.isPaused(), "the first words");
  for (let turn = 0; turn < 5; turn++) {
    const said = await (
      await server.get(`${at}/rpc`, post({ type: "prompt", message: "go", streamingBehavior: "followUp" }))
    ).json();
    expect(said).toMatchObject({ success: true });
    while ((await (await server.get("/v1/sessions")).json()).sessions[0].running) await Bun.sleep(5);
  }
  for (const { socket, promise } of gone) {
    socket.resume();
    await promise;
  }
  expect(await server.stop()).toBe(0);
});

test("what is asked wrongly is told so, and an address may be any of this machine's where that was said", async () => {
  using dir = scratch();
  const server = await serving(dir, [
    ...scripted(dir, { text: "Hello." }),
    ...["--address", "0.0.0.0", "--allow-remote"],
  ]);
  expect((await server.get("/v1/sessions/%zz/events")).status).toBe(400);
  for (const cwd of ["work", "", "/tmp\0x", 5])
    expect((await server.get("/v1/sessions", post({ cwd }))).status).toBe(400);
  expect((await server.get("/v1/sessions", post(null))).status).toBe(400);
  const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const verb = async (name: string, body: string) =>
    (await server.get(`/v1/sessions/${made.sessionId}/mirror/${name}`, { method: "POST", body })).status;
  const wrong = [
    ...[
      ["send", "{half"],
      ["send", "null"],
      ["send", '["words"]'],
      ["send", '[{"text":"x"},"soon"]'],
      ["withdraw", "[]"],
    ],
    ...[
      ["configure", '[{"approval":"all"}]'],
      ["answer", '["main/x",{"say":"maybe"}]'],
      ["context", "[1]"],
    ],
  ] as const;
  expect(await Promise.all(wrong.map(([name, body]) => verb(name, body)))).toEqual(wrong.map(() => 400));
  expect([await verb("constructor", "[]"), await verb("context", "[]")]).toEqual([404, 200]);
  const { port } = new URL(server.url);
  const bare = { web: connect(Number(port), "127.0.0.1"), socket: connect(`${server.home}/serve.sock`) };
  for (const socket of Object.values(bare)) {
    let said = "";
    socket.on("data", (bytes) => {
      said += bytes;
    });
    socket.end("GET /v1/sessions HTTP/1.0\r\n\r\n");
    await until(() => said.includes("\r\n\r\n"), "an answer");
    expect(said).toStartWith("HTTP/1.1 400 ");
  }
  const page = async (host: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { headers: { host: `${host}:${port}` } })).status;
  expect(await Promise.all(["192.0.2.7", "[2001:db8::1]", "localhost"].map(page))).toEqual([200, 200, 200]);
  expect(await Promise.all(["evil.example", "192.0.2.7.evil.example", "localhost."].map(page))).toEqual([
    403, 403, 403,
  ]);
  expect(await server.stop()).toBe(0);
});

test("a server in the background tells its addresses here and keeps them in no file", async () => {
  using dir = scratch();
  const began = await pith(dir, ["serve", "--background", "--web", ...scripted(dir, { text: "Hello." })]);
  const token = /#(\S+)/.exec(began.out)?.[1] ?? "";
  expect(began).toMatchObject({ code: 0, out: expect.stringMatching(/open .*\nwatch .*\n$/) });
  const found = await Bun.$`grep -rlF -e ${token} ${dir.at("home")}`.nothrow().quiet();
  expect(found.stdout.toString()).toBe("");
  expect((await pith(dir, ["serve", "--background"])).code).toBe(2);
  expect((await pith(dir, ["serve", "stop"])).code).toBe(0);
  const long = { env: { PITH_HOME: dir.at("x".repeat(120)) } };
  expect(await pith(dir, ["serve", "--background"], long)).toMatchObject({
    code: 2,
    err: expect.stringContaining("too long"),
  });
});

test("a face shows the place that another one has gone to, all branches, and the record after a handoff", async () => {
  using dir = scratch();
  const server = await serving(
    dir,
    scripted(dir, ...["One.", "Two.", "Three.", "All of it.", "Four."].map((text) => ({ text }))),
  );
  const { sessionId } = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const lost: string[] = [];
  const opened = async () => {
    const lostTo = (why: string) => void lost.push(why);
    const made = await attach({
      socket: `${server.home}/serve.sock`,
      session: sessionId,
      undo: () => undefined,
      lost: lostTo,
    });
    if (!made.ok) throw new Error(made.message);
    return made.value;
  };
  const [one, two] = [await opened(), await opened()];
  const ids = (coder: typeof one) => coder.path().map(({ id }) => id);
  const agree = () => until(() => ids(one).join() === ids(two).join() && !one.running && !two.running, "the same path");
  await one.send({ text: "first" });
  await one.send({ text: "second" });
  await agree();
  const begin = ids(one);
  const answer = two.path().find((entry) => entry.type === "message" && entry.message.role === "assistant");
  await two.walk.go(answer?.id ?? "", "none");
  await until(() => one.record.leaf() === answer?.id, "the other place");
  await two.send({ text: "third" });
  await agree();
  expect(ids(one)).not.toEqual(begin);
  const late = await opened();
  expect(ids(late)).toEqual(ids(one));
  expect([...late.record.entries()].length).toBeGreaterThan(begin.length);
  const typed = one.commands.read("/handoff");
  if (typed.is === "command") await one.perform(typed);
  await until(() => one.header.id !== sessionId && two.header.id === one.header.id, "the next record");
  await agree();
  const next = await opened();
  expect([next.header.id, ids(next)]).toEqual([one.header.id, ids(one)]);
  for (const face of [one, two, late]) await face.close();
  const events = server.get(`/v1/sessions/${one.header.id}/events`).then((response) => response.text());
  const gone = await server.get(`/v1/sessions/${one.header.id}`, { method: "DELETE" });
  expect([gone.status, (await (await server.get("/v1/sessions")).json()).sessions]).toEqual([200, []]);
  // Attached clients are told that it is over.
  expect(await events).toContain('"type":"scene"');
  await until(() => lost.length > 0, "the end of the last face");
  expect(lost).toEqual(["The server has ended the session."]);
  expect(await server.stop()).toBe(0);
});

test("what a call would change is shown without its secrets, also to who only watches", async () => {
  using dir = scratch();
  const secret = "sk-secret-abcdefghijklmnopqrstuvwx";
  dir.write({ "work/conf.txt": `key=${secret}\nb\n`, "home/.pith/.env": `FAKE_API_KEY=${secret}\n` });
  const write = { calls: [{ tool: "write", input: { path: "conf.txt", content: `key=${secret}\nc\n` } }] };
  const server = await serving(dir, [...scripted(dir, write, { text: "Done." }), "--approval", "ask"]);
  const { sessionId } = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
  const at = `/v1/sessions/${sessionId}`;
  const asked = heard(await server.get(`${at}/events`), ({ type }) => type === "question");
  await server.get(`${at}/rpc`, post({ type: "prompt", message: "go" }));
  const id = (await asked).find(({ line }) => line.type === "question")?.line.id ?? "";
  const bearer = { headers: { authorization: `Bearer ${server.tokens[1]}` } };
  const changes = await (await server.web(`${at}/changes/${encodeURIComponent(id)}`, bearer)).text();
  expect([changes.includes("+c"), changes.includes(secret)]).toEqual([true, false]);
  expect(await server.stop()).toBe(0);
});
