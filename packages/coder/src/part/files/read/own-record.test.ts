import { expect, test } from "bun:test";
import { type EntryDraft, Journal, memoryStorage } from "@pith/agent";
import { openProject } from "../../../test/project.ts";
import { historyOf } from "../../../url/scheme/history.ts";
import { parseUrl } from "../../../url/url.ts";
import { showAddress } from "./address.ts";

test("a 10 MB entry of the session is read page by page, and what a stranger put into one does no harm", async () => {
  const { signal } = new AbortController();
  const { files } = openProject("own-record");
  const journal = Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 } }, { cwd: "/" });
  const said = (message: unknown) => journal.append({ type: "message", message } as EntryDraft).id;
  const big = said({
    role: "toolResult",
    toolName: "bash",
    content: [{ type: "text", text: `first\n${"y".repeat(10 << 20)}` }],
  });
  const odd = said({
    role: "toolResult",
    toolName: "\x1b[31mx",
    content: [null, { type: "image" }, { type: "text" }, 7],
  });
  const show = async (id: string) => {
    const href = `history://session/${id}`;
    const url = parseUrl(href);
    const got = url.ok ? await historyOf(journal.tree).resolve(url.value, {} as never, signal) : undefined;
    if (!got?.ok || got.value.text === undefined) throw new Error(href);
    const options = { files, display: "plain", room: () => ({ limit: 100, bytes: 2000 }) } as never;
    const address = { href, text: got.value.text };
    return showAddress(options, { is: "address", address, selector: { ranges: [], show: "numbered" } }, signal);
  };
  const page = await show(big);
  expect(page.text).toContain("first");
  expect(page.text.length).toBeLessThan(4000);
  expect(JSON.stringify(page.meta)).toContain(`history://session/${big}:4`);
  expect((await show(odd)).text).not.toContain("\x1b");
});
