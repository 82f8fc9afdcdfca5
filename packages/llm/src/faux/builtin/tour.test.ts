import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import type { Message } from "../../message/message.ts";
import { ask, collect, joined, reply, result, user } from "../../test/fixture.ts";
import { vendors } from "../../vendor/table.ts";
import { fauxModel, fauxStream } from "../play.ts";
import { tour } from "./tour.ts";

const model = fauxModel("tour", tour);
const stream = fauxStream({ ...tour, chunkDelayMs: 0 });

/** Plays the tour with tools as small as they can be, in a project laid out as the script says. */
async function take(
  folder: string,
  run: (name: string, input: Record<string, unknown>) => Promise<string>,
): Promise<string[]> {
  for (const [path, text] of Object.entries(tour.project?.files ?? {})) await writeFile(join(folder, path), text);
  const messages: Message[] = [user("fix the failing test")];
  const texts: string[] = [];
  for (;;) {
    const events = await collect(stream, ask(messages, { model }));
    texts.push(joined(events, "text"));
    const calls = events.filter((event) => event.type === "call");
    messages.push(reply([{ type: "text", text: "…" }], { provider: "faux", model: "tour" }));
    if (calls.length === 0) return texts;
    for (const call of calls) {
      const input = JSON.parse(
        joined(
          events.filter((event) => "index" in event && event.index === call.index),
          "args",
        ),
      );
      messages.push(result(call.id, [{ type: "text", text: await run(call.name, input) }]));
    }
  }
}

async function sh(folder: string): Promise<string> {
  const run = Bun.spawn(["/bin/sh", "test.sh"], { cwd: folder, env: { PATH: "/usr/bin:/bin" } });
  return `${await new Response(run.stdout).text()}exit ${await run.exited}`;
}

test("the tour repairs its project: the test fails before and passes after", async () => {
  using dir = scratch();
  const runs: string[] = [];
  const texts = await take(dir.path, async (name, input) => {
    const path = dir.at(String(input.path));
    if (name === "read") return readFile(path, "utf8");
    if (name === "edit") {
      runs.push(await sh(dir.path));
      for (const { oldText, newText } of input.edits as { oldText: string; newText: string }[]) {
        const text = await readFile(path, "utf8");
        expect(text.split(oldText)).toHaveLength(2);
        await writeFile(path, text.replace(oldText, newText));
      }
      return "edited";
    }
    expect([name, input.command]).toEqual(["bash", "sh test.sh"]);
    runs.push(await sh(dir.path));
    return runs.at(-1) ?? "";
  });
  expect(runs).toEqual([expect.stringMatching(/^1 test failed.*exit 1$/s), "1 test passed\nexit 0"]);
  expect(texts[0]).toContain("scripted tour");
  for (const part of ["The test passes", "/undo", "pith help models"]) expect(texts.at(-1)).toContain(part);
});

test("the tour does not claim a success that it was not allowed to have", async () => {
  using dir = scratch();
  const refused = await take(dir.path, async (name, input) =>
    name === "read" ? readFile(dir.at(String(input.path)), "utf8") : "not allowed",
  );
  expect(refused.at(-1)).toContain("did not pass");
  expect((await take(dir.path, async () => "no such file")).at(-1)).toContain("brings its own project");
});

test("the tour ends with the key of every vendor that has a usual model, and with local servers", () => {
  const last = JSON.stringify(tour.turns.at(-1));
  for (const { id, usual, local, keys } of vendors)
    if (usual && !local && keys.some((key) => key.endsWith("_API_KEY")))
      expect([id, keys.some((key) => last.includes(key))]).toEqual([id, true]);
  for (const part of ["Ollama", "LM Studio", "llama.cpp", "vLLM", "OPENAI_BASE_URL"]) expect(last).toContain(part);
});

test("after the tour it only tells how to go on", async () => {
  const done = Array.from({ length: 9 }, () =>
    reply([{ type: "text", text: "…" }], { provider: "faux", model: "tour" }),
  );
  const events = await collect(stream, ask([user("x"), ...done, user("and now?")], { model }));
  expect(joined(events, "text")).toContain("The tour is over");
});
