import { expect, test } from "bun:test";
import { scripted } from "../test/scripted.ts";
import { Channel } from "./channel.ts";

test("what is announced before an interface comes is heard by the first one, whoever else listens", () => {
  const channel = new Channel(scripted([]).journal);
  const heard: Record<string, string[]> = { part: [], first: [], second: [] };
  const hear = (who: string) => (event: { type: string; notice?: { text: string } }) =>
    void (event.notice && heard[who]?.push(event.notice.text));
  channel.notify({ level: "info", text: "early" });
  using _part = channel.listen(hear("part"));
  channel.notify({ level: "info", text: "later" });
  using _first = channel.subscribe(hear("first"));
  using _second = channel.subscribe(hear("second"));
  channel.notify({ level: "info", text: "now" });
  expect(heard).toEqual({ part: ["later", "now"], first: ["early", "later", "now"], second: ["now"] });
});
