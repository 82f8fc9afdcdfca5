// Random histories over the wire, against servers that are as strict as the real ones and refuse one word beside.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { Healer, type Healing } from "./heal/healing.ts";
import { historyBlocks } from "./heal/mask.ts";
import type { AssistantMessage, Image, Message, Text } from "./message/message.ts";
import type { Request } from "./message/stream.ts";
import { ask, collect, failureIn, reply, result, user } from "./test/fixture.ts";
import { benches, type Rule, serve, streamTo } from "./test/index.ts";

const poison: Rule<unknown> = {
  name: "poison",
  says: "a word that this server does not like",
  page: "none",
  check: ({ raw }) => (raw.includes("poison") ? "poison" : undefined),
  broken: () => {},
};

const word = fc.constantFrom("hello", "", " ", "poison", "\ud800half", "x".repeat(50));
const text = word.map((value): Text => ({ type: "text", text: value }));
const image: Image = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};
const picture = fc.constantFrom<Image>(image, { ...image, mimeType: "image/jpeg" }, { ...image, data: "AAAA" });
const id = fc.constantFrom("1", "2", "call_3", "a|b", "ü", "y".repeat(80));
const part = fc.oneof(
  text,
  fc
    .tuple(word, fc.constantFrom("s", ""))
    .map(([thinking, thinkingSignature]) => ({ type: "thinking" as const, thinking, thinkingSignature })),
  fc
    .tuple(id, fc.constantFrom("read", "bad name", "no.such"))
    .map(([callId, name]) => ({ type: "toolCall" as const, id: callId, name, arguments: { path: "x" } })),
);
const parts = fc.array(fc.oneof(text, picture), { maxLength: 3 });
const stops = fc.constantFrom<AssistantMessage["stopReason"]>("stop", "toolUse", "error", "aborted", "length");

/** A conversation that goes on: the last word is a person's. Some replies are of the very model that is asked. */
const history = (model: Request["model"]) =>
  fc
    .array(
      fc.oneof(
        fc.oneof(word, parts).map((content): Message => user(content)),
        fc.tuple(fc.array(part, { maxLength: 4 }), stops, fc.boolean()).map(
          ([content, stopReason, byUs]): Message =>
            reply(content, {
              stopReason,
              ...(byUs
                ? { api: model.api, provider: model.vendor, model: model.id }
                : { api: "other", provider: "other", model: "other" }),
            }),
        ),
        fc.tuple(id, parts).map(([own, content]): Message => result(own, content)),
      ),
      { maxLength: 10 },
    )
    .map((messages) => [...messages, user("go on")]);

describe("no recorded history bricks a session", () => {
  test.each(Object.keys(benches))(
    "%s",
    async (api) => {
      const bench = benches[api];
      if (!bench) throw new Error(api);
      const fake = { ...bench.fake, rules: [...bench.fake.rules, poison] };
      using served = serve(fake, { text: "fine" });
      const stream = await streamTo({ ...bench, fake }, served.url);
      const tally = { accepted: 0, ruled: 0, searched: 0 };
      await fc.assert(
        fc.asyncProperty(history(bench.model), async (messages) => {
          const healer = new Healer();
          const request = ask(messages, {
            model: bench.model,
            tools: [{ name: "read", description: "reads", parameters: { type: "object", properties: {} } }],
            maxOutput: 4096,
          });
          const send = async (healing: Healing | undefined) =>
            failureIn(
              await collect(
                stream,
                healing ? { ...request, messages: await healer.apply(messages, healing) } : request,
              ),
            );
          if (!(await send(undefined))) return void tally.accepted++;
          const cure = await healer.cure(request, { rules: false, blocks: [] }, stream, new AbortController().signal);
          tally[cure && cure.blocks.length === 0 ? "ruled" : "searched"]++;
          // More blocks than a search may take away is the only way to fail.
          if (!cure) expect(historyBlocks(messages).length).toBeGreaterThan(8);
          else expect(await send(cure)).toBeUndefined();
        }),
        { numRuns: 60 },
      );
      // Proof that every way was gone.
      expect(tally.accepted).toBeGreaterThan(0);
      expect(tally.searched).toBeGreaterThan(0);
    },
    120_000,
  );
});
