import { expect, test } from "bun:test";
import { systemClock } from "@pith/kit";
import { scratch } from "@pith/kit/test";
import { said } from "../../test/command.ts";
import { history } from "./history.ts";
import { openHistory } from "./store.ts";

test("/history shows what was typed before, the newest last, or what holds some words", async () => {
  using dir = scratch();
  const command = history({ home: dir.path, clock: systemClock })?.commands?.[0];
  expect(await said(command)).toBe("No prompt matches.");
  const kept = await openHistory(dir.at("history.db"), systemClock);
  for (const text of ["fix the\nparser", "run the tests", "write it down"]) kept.add(text, dir.path);
  kept.close();
  expect(await said(command)).toBe("fix the parser\nrun the tests\nwrite it down");
  expect(await said(command, "tests")).toBe("run the tests");
});
