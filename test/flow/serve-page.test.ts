// The page of the server in a real browser, at the width of a phone.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { Page } from "../browser.ts";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { ended, type Running, serving } from "../serving.ts";

const missing = need("chromium");
afterAll(ended);

test.skipIf(missing !== undefined)("a phone watches, answers, says more, and nothing it is shown runs", async () => {
  using dir = scratch();
  const evil = "<img src=x onerror=document.title='owned'>";
  const server = await serving(dir, [
    ...scripted(
      dir,
      { text: `I write. ${evil}`, calls: [{ tool: "write", input: { path: "a.txt", content: `${evil}\n` } }] },
      { text: "Done." },
      { text: "You said more." },
    ),
    ...["--approval", "ask"],
  ]);
  const { page, made, sees, type } = await phone(server, dir);
  try {
    await type("go");
    await sees("document.querySelector('#asked .added')?.textContent.includes('onerror') === true");
    await sees("document.documentElement.scrollWidth <= 360");
    await page.run("[...document.querySelectorAll('#asked button')].find((one) => one.textContent === 'Yes').click()");
    await sees("document.querySelector('main').innerText.includes('Done.')");
    expect(readFileSync(dir.at("work/a.txt"), "utf8")).toContain("onerror");
    await sees("document.getElementById('asked').children.length === 0");
    await type("more");
    await sees("document.querySelector('main').innerText.includes('You said more.')");
    expect(await page.run("document.title")).toBe("pith");
    const foreign = page.complaints.filter((each) => /requestWillBeSent|http/.test(each) && !each.includes(server.url));
    expect(foreign.filter((each) => /"url":"http/.test(each))).toEqual([]);
    expect(existsSync(dir.at("work/a.txt"))).toBe(true);
    expect(made.sessionId).toBeString();
  } finally {
    page.close();
    await server.stop();
  }
});

test.skipIf(missing !== undefined)(
  "who watches sees what was said before and can say nothing; several options are ticked and sent together",
  async () => {
    using dir = scratch();
    const question = {
      id: "colours",
      question: "Which <b>ones</b>?",
      options: [{ label: "red" }, { label: "green" }, { label: "blue" }],
      multi: true,
    };
    const ask = { calls: [{ tool: "ask", input: { questions: [question] } }] };
    const server = await serving(dir, scripted(dir, { text: "Before." }, ask, { text: "Chosen." }));
    const post = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });
    const made = await (await server.get("/v1/sessions", post({ cwd: dir.at("work") }))).json();
    const at = `/v1/sessions/${made.sessionId}`;
    await server.get(`${at}/rpc`, post({ type: "prompt", message: "go" }));
    while ((await (await server.get("/v1/sessions")).json()).sessions[0].running) await Bun.sleep(5);
    const watcher = await Page.open(`${server.url}#${server.tokens[1]}`, dir.at("watcher"));
    const full = await Page.open(`${server.url}#${server.tokens[0]}`, dir.at("full"));
    try {
      for (const page of [watcher, full])
        await page.sees("document.querySelector('main').innerText.includes('Before.')");
      await watcher.sees("getComputedStyle(document.querySelector('footer')).display === 'none'");
      await server.get(`${at}/rpc`, post({ type: "prompt", message: "ask" }));
      for (const page of [watcher, full]) await page.sees("document.querySelectorAll('#asked input').length >= 3");
      await full.run(
        "document.querySelectorAll('#asked input')[0].click(), document.querySelectorAll('#asked input')[2].click(), [...document.querySelectorAll('#asked button')].find((one) => one.textContent === 'Send').click()",
      );
      for (const page of [watcher, full]) {
        await page.sees("document.querySelector('main').innerText.includes('Chosen.')");
        await page.sees("document.getElementById('asked').children.length === 0");
      }
      const { data } = await (await server.get(`${at}/rpc`, post({ type: "get_messages" }))).json();
      const result = JSON.stringify(data.messages.find(({ role }: { role: string }) => role === "toolResult"));
      expect([result.includes("red"), result.includes("blue")]).toEqual([true, true]);
      // After a move back the page shows no more than the path.
      const { entries } = (await heardScene(
        await server.get(`${at}/events`, { headers: { "last-event-id": "x" } }),
      )) as {
        entries: { id: string; message?: { role: string } }[];
      };
      const before = entries.find(({ message }) => message?.role === "assistant")?.id;
      await server.get(`${at}/mirror/walk.go`, post([before, "none"]));
      for (const page of [watcher, full]) {
        await page.sees("!document.querySelector('main').innerText.includes('Chosen.')");
        await page.sees("document.querySelector('main').innerText.includes('Before.')");
      }
    } finally {
      watcher.close();
      full.close();
      await server.stop();
    }
  },
);

test.skipIf(missing !== undefined)(
  "a question with a long command fits a phone, No stands beside Yes, and what waits is shown until it has gone out",
  async () => {
    using dir = scratch();
    const run = {
      text: `I run it.${"\n\nA paragraph of many.".repeat(60)}`,
      calls: [{ tool: "bash", input: { command: `echo ${"x".repeat(300)}` } }],
    };
    const server = await serving(dir, [
      ...scripted(dir, run, { text: "Done." }, { text: "Heard." }),
      ...["--approval", "ask"],
    ]);
    const { page, sees, type } = await phone(server, dir);
    try {
      await type("go");
      await sees("document.querySelectorAll('#asked button').length >= 4");
      await sees("asked.get([...asked.keys()][0]).parentNode.scrollWidth <= 360");
      await sees(
        "[...document.querySelectorAll('#asked .buttons button')].slice(0, 2).map((one) => one.textContent).join() === 'Yes,No'",
      );
      await sees("/where {2}\\S/.test(document.getElementById('asked').textContent)");
      // The end of what was said stays in sight when the question takes its room.
      await sees("main.scrollHeight - main.scrollTop - main.clientHeight < 80");
      await type("and this too");
      await sees("document.getElementById('waiting').innerText.includes('and this too')");
      await page.run("document.querySelectorAll('#asked .buttons button')[1].click()");
      await sees("main.innerText.includes('and this too')");
      await sees("document.getElementById('waiting').children.length === 0");
    } finally {
      page.close();
      await server.stop();
    }
  },
  30_000,
);

test.skipIf(missing !== undefined)(
  "answers are drawn as Markdown with coloured code, a question says that it waits, and takes single hunks and a reason",
  async () => {
    using dir = scratch();
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    dir.write({ "work/a.txt": `${lines.join("\n")}\n` });
    const content = `${lines.with(1, "first change").with(35, "second change").join("\n")}\n`;
    const text = "**Look:**\n\n```ts\nconst a = 1;\n```\n\n| n |\n|--:|\n| 1 |";
    const run = { calls: [{ tool: "bash", input: { command: "touch made" } }] };
    const server = await serving(dir, [
      ...scripted(
        dir,
        { text },
        { calls: [{ tool: "read", input: { path: "a.txt" } }] },
        { calls: [{ tool: "write", input: { path: "a.txt", content } }] },
        run,
        { text: "Told: {{result}}" },
      ),
      ...["--approval", "ask"],
    ]);
    const { page, sees, type } = await phone(server, dir);
    try {
      await type("look");
      await sees("document.querySelector('.prose strong')?.textContent === 'Look:'");
      await sees("document.querySelector('.prose .c-keyword')?.textContent === 'const'");
      await sees("getComputedStyle(document.querySelector('.prose td.right')).textAlign === 'right'");
      await sees("document.getElementById('state').textContent === 'idle'");
      await type("change");
      await sees("document.querySelectorAll('#asked .hunk input').length === 2");
      await sees("document.getElementById('state').textContent === 'waiting for you'");
      const inReach =
        "[...document.querySelectorAll('#asked .buttons button')].every((one) => one.getBoundingClientRect().bottom <= innerHeight)";
      await sees(inReach);
      await page.run("document.querySelectorAll('#asked .hunk input')[1].click()");
      await page.run("document.querySelector('#asked .buttons button').click()");
      await sees("document.querySelector('#asked h2')?.textContent.startsWith('bash')");
      const changed = readFileSync(dir.at("work/a.txt"), "utf8");
      expect([changed.includes("first change"), changed.includes("second change")]).toEqual([true, false]);
      await page.run("document.querySelector('#asked textarea').value = 'not like this'");
      await page.run("document.querySelectorAll('#asked .buttons button')[1].click()");
      await sees("document.querySelector('main').innerText.includes('not like this')");
      expect(existsSync(dir.at("work/made"))).toBe(false);
    } finally {
      page.close();
      await server.stop();
    }
  },
  60_000,
);

/** A session in the work folder, and the page on a phone that shows it at rest. */
async function phone(server: Running, dir: Scratch) {
  const body = JSON.stringify({ cwd: dir.at("work") });
  const made = await (await server.get("/v1/sessions", { method: "POST", body })).json();
  const page = await Page.open(`${server.url}#${server.tokens[0]}`, dir.at("profile"));
  const size = { width: 360, height: 740, deviceScaleFactor: 1, mobile: true };
  await page.call("Emulation.setDeviceMetricsOverride", size);
  const sees = (expression: string) => page.sees(expression);
  await sees("document.getElementById('state').textContent === 'idle'");
  const type = (text: string) =>
    page.run(`text.value = ${JSON.stringify(text)}; document.getElementById("form").requestSubmit()`);
  return { page, made, sees, type };
}

async function heardScene(response: Response): Promise<unknown> {
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const data = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (data) return JSON.parse(data);
  }
  return undefined;
}
