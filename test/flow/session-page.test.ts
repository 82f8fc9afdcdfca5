import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type EntryDraft, fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import { Page } from "../browser.ts";
import { need } from "../need.ts";
import { scratch } from "../scratch.ts";

// The exported page in a real browser; without Chromium there is nothing to show it in.
const missing = need("chromium");
const { path: root } = scratch(afterAll);
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });

async function exported(): Promise<string> {
  const file = join(root, "session.jsonl");
  const journal = Journal.create(
    { storage: () => fileStorage(file), clock: systemClock, onFault: () => {} },
    { cwd: "/project" },
  );
  const first = journal.append(user("the first question"));
  journal.append({
    type: "message",
    message: {
      role: "toolResult",
      toolCallId: "c",
      toolName: "edit",
      content: [
        { type: "text", text: "a walrus inside <img src=x onerror=document.title='owned'>" },
        { type: "image", data: picture, mimeType: "image/png" },
      ],
      details: {
        kind: "diff",
        files: [{ path: "a.ts", change: "modified", added: 1, removed: 0, patch: "@@ -1 +1 @@\n+new" }],
      },
      isError: false,
      timestamp: 0,
    },
  });
  journal.append(user("down the left branch"));
  journal.tree.moveTo(first.id);
  journal.append(user("down the right branch"));
  await journal.close();
  const page = join(root, "page.html");
  const main = join(import.meta.dir, "../../packages/cli/src/main.ts");
  mkdirSync(join(root, "home"));
  const done = Bun.spawnSync([process.execPath, main, "export", file, "--html", "--out", page], {
    env: { ...process.env, PITH_HOME: join(root, "home") },
  });
  expect(done.stderr.toString()).toBe("");
  return page;
}

describe.skipIf(missing !== undefined)("the exported page", () => {
  let page: Page;
  beforeAll(async () => {
    page = await Page.open(`file://${await exported()}`, join(root, "profile"));
  }, 120_000);
  afterAll(() => page?.close());

  const visible =
    "[...document.querySelectorAll('main article')].filter((node) => !node.hidden).map((node) => node.innerText.split('\\n').at(-1))";
  const type = (word: string) =>
    `(async () => { const box = document.getElementById('search'); box.value = ${JSON.stringify(word)}; box.dispatchEvent(new Event('input')); await new Promise((done) => setTimeout(done, 150)); })()`;

  test("shows the path to the leaf, the image, and runs nothing of what tools printed", async () => {
    expect(await page.run(visible)).toEqual(["the first question", "down the right branch"]);
    expect(await page.run("document.querySelector('img[src^=data]').naturalWidth")).toBe(1);
    expect(await page.run("document.title")).toBe("Session");
    expect(await page.run("document.querySelectorAll('img:not([src^=data])').length")).toBe(0);
  });

  test("a click in the tree shows the other branch", async () => {
    await page.run(
      "[...document.querySelectorAll('#tree a')].find((link) => link.textContent.includes('left')).click()",
    );
    expect(((await page.run(visible)) as string[]).at(-1)).toBe("down the left branch");
    expect(
      await page.run("[...document.querySelectorAll('#tree a.active')].map((link) => link.textContent).join()"),
    ).toContain("left");
  });

  test("the search finds words in folded results of every branch and opens them", async () => {
    await page.run(type("WALRUS"));
    expect(await page.run("document.getElementById('found').textContent")).toBe("1 entry");
    expect(
      await page.run(
        "document.querySelector('mark').textContent + document.querySelector('mark').closest('details').open",
      ),
    ).toBe("walrustrue");
    await page.run(type(""));
    expect(await page.run(visible)).toEqual(["the first question", "down the right branch"]);
    expect(await page.run("document.querySelectorAll('mark').length")).toBe(0);
  });

  test("results fold and unfold, the theme changes, and nothing was asked of a network or went wrong", async () => {
    const open = "document.querySelectorAll('main details[open]').length";
    await page.run("document.getElementById('fold').click()");
    expect(await page.run(`${open} === document.querySelectorAll('main details').length`)).toBe(true);
    await page.run("document.getElementById('fold').click()");
    expect(await page.run(open)).toBe(0);
    const ground = "getComputedStyle(document.body).backgroundColor";
    const before = await page.run(ground);
    await page.run("document.getElementById('theme').click()");
    expect(await page.run(ground)).not.toBe(before);
    expect(page.complaints.filter((text) => !text.includes("data:image"))).toEqual([]);
  });
});
