import { expect, test } from "bun:test";
import { block, chrome, stage } from "../test/stage.ts";
import { createTranscript } from "../transcript/transcript.ts";
import type { Pane } from "./frame.ts";

const broken = (): never => {
  throw new Error("no such\nthing");
};
const note = "[not drawn: no such thing]";
const text = (rows: readonly string[]) => rows.filter((row) => row !== "");

test("a view that fails costs its own rows, not the frame", () => {
  let fails = true;
  const moody: Pane = { bounds: () => ({ live: 0 }), render: () => (fails ? broken() : ["well again"]) };
  const { tty, screen } = stage(40, 8, [chrome("above"), moody, chrome("below")]);
  expect(text(tty.grid())).toEqual(["above", note, "below"]);
  fails = false;
  screen.now();
  expect(text(tty.grid())).toEqual(["above", "well again", "below"]);
});

test("a message that fails costs its own rows, also when history is written again, and the exit is whole", () => {
  const transcript = createTranscript({ gap: 0 });
  const { tty, screen } = stage(40, 8, [transcript, chrome("> prompt")]);
  for (const row of ["one", "two"]) transcript.add(block([row]));
  transcript.add({ final: true, render: broken });
  transcript.add(block(["four"]));
  screen.now();
  expect(text(tty.grid())).toEqual(["one", "two", note, "four", "> prompt"]);
  screen.replace();
  screen.stop("exit");
  expect(text(tty.tape())).toEqual(["one", "two", note, "four"]);
});

test("a history that fails ends where it failed", () => {
  function* history() {
    yield ["kept"];
    broken();
  }
  const transcript = createTranscript({ gap: 0, history });
  transcript.resume(2);
  transcript.add(block(["new"]));
  const { tty, screen } = stage(40, 8, [transcript]);
  screen.now();
  screen.now();
  expect(text(tty.grid())).toEqual(["kept", note, "new"]);
});

test("a pane that cannot tell what is final keeps the frame going, and so does a box", () => {
  const pane: Pane = { bounds: broken, render: () => ["row"] };
  const { tty, screen } = stage(40, 8, [pane, chrome("below")]);
  expect(text(tty.grid())).toEqual(["row", "below"]);
  screen.overlay({ render: broken });
  expect(tty.grid().join("\n")).toContain("[not drawn: no such");
  screen.stop("exit");
  expect(tty.tape().join("\n")).not.toContain("not drawn");
});
