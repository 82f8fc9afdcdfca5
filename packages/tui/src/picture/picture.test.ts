import { expect, test } from "bun:test";
import type { Pane } from "../screen/frame.ts";
import { createScreen } from "../screen/screen.ts";
import type { ImageProtocol } from "../terminal/capability.ts";
import { createFakeTimers } from "../test/timers.ts";
import { createVirtualTerminal } from "../test/virtual-terminal.ts";
import { width } from "../text/width.ts";
import { createPictures, type InlinePicture, loadPicture } from "./picture.ts";
import { decodePng } from "./png.ts";
import { sixel } from "./sixel.ts";

const picture = (name: string): InlinePicture => ({ png: new Uint8Array(9000).fill(7), width: 160, height: 64, name });
const payload = Buffer.from(picture("a").png).toString("base64").slice(0, 40);

function stage(protocol: ImageProtocol, placeholders: boolean, budget = 5) {
  let sent = "";
  const store = createPictures({
    protocol,
    placeholders,
    budget,
    write: (bytes) => {
      sent += bytes;
    },
  });
  return { store, sent: () => sent };
}

test("a picture is sent once, however often its rows are drawn", () => {
  const tty = createVirtualTerminal(80, 24);
  const { store, sent } = stage("kitty", true);
  const chart = picture("one");
  let count = 0;
  const pane: Pane = { render: (columns) => [`frame ${count++}`, ...store.rows(chart, columns, 10)] };
  const screen = createScreen({ tty, timers: createFakeTimers(), panes: [pane], graphics: store.graphics });
  screen.start();
  for (let at = 0; at < 100; at++) screen.now();
  expect(sent().split("f=100").length).toBe(2);
  expect(tty.take()).not.toContain(payload);
});

test("beyond the budget the oldest picture loses its pixels and keeps its height", () => {
  const { store, sent } = stage("kitty", true, 2);
  const pictures = ["a", "b", "c"].map(picture);
  const before = pictures.slice(0, 2).map((each) => store.rows(each, 40, 10).length);
  store.rows(pictures[2] as InlinePicture, 40, 10);
  expect(sent()).toContain("\x1b_Ga=d,d=I,i=1,q=2\x1b\\");
  const rows = store.rows(pictures[0] as InlinePicture, 40, 10);
  expect(rows.length).toBe(before[0] as number);
  expect(rows[0]).toBe("[a 160×64]");
});

test("a picture that is drawn at another width keeps its pixels", () => {
  const { store } = stage("kitty", false);
  const chart = picture("one");
  const [wide, narrow] = [store.rows(chart, 40, 10), store.rows(chart, 10, 10)];
  expect([wide, narrow].map((rows) => store.graphics(rows.at(-1) ?? "").includes("a=p"))).toEqual([false, true]);
});

test("every protocol takes the same rows as its text, and no row is wider than its box", () => {
  const heights = (["kitty", "iterm2", "sixel", "off"] as const).flatMap((protocol) =>
    [true, false].map((placeholders) => stage(protocol, placeholders).store.rows(picture("x"), 30, 10)),
  );
  for (const rows of heights) {
    expect(rows.length).toBe(4);
    for (const row of rows) expect(width(row)).toBeLessThanOrEqual(30);
  }
});

test("marks become placements on their way out and nowhere else", () => {
  for (const [protocol, bytes] of [
    ["kitty", "\x1b7\x1b[3A\x1b_Ga=p,i=1"],
    ["iterm2", "\x1b7\x1b[3A\x1b]1337;File=inline=1"],
    ["sixel", "\x1b7\x1b[3A"],
  ] as const) {
    const { store } = stage(protocol, false);
    const row = store.rows(picture("x"), 20, 10).at(-1) ?? "";
    expect(row).not.toContain("1337");
    expect(store.graphics(row)).toContain(bytes);
  }
});

test("sixel text paints every pixel once", () => {
  const red = new Uint8Array(4 * 7 * 4).fill(0).map((_, at) => (at % 4 === 0 || at % 4 === 3 ? 255 : 0));
  expect(sixel(red, 4, 7)).toBe('\x1bP0;1;0q"1;1;4;7#180;2;100;0;0#180!4~-#180!4@\x1b\\');
});

test("an image file becomes a picture, its pixels, and sixel text of them", async () => {
  const bmp = new Uint8Array(54 + 2 * 2 * 4);
  const view = new DataView(bmp.buffer);
  bmp.set([0x42, 0x4d]);
  for (const [at, value] of [
    [2, bmp.length],
    [10, 54],
    [14, 40],
    [18, 2],
    [22, 2],
    [34, 16],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 32, true);
  for (let at = 0; at < 4; at++) bmp.set([0, 0, 255, 255], 54 + at * 4);
  const loaded = await loadPicture(bmp, "red.bmp");
  expect([loaded.width, loaded.height]).toEqual([2, 2]);
  expect([...(decodePng(loaded.png)?.rgba.slice(0, 4) ?? [])]).toEqual([255, 0, 0, 255]);
  const store = createPictures({ protocol: "sixel", placeholders: false, budget: 1, write: () => {} });
  expect(store.graphics(store.rows(loaded, 10, 10).at(-1) ?? "")).toContain("#180;2;100;0;0");
  expect(decodePng(new Uint8Array(9))).toBeUndefined();
  await expect(loadPicture(new Uint8Array(10), "x")).rejects.toThrow();
});

test("what is left of a row is erased before its pixels, and a narrower window has a smaller picture", () => {
  const tty = createVirtualTerminal(40, 12);
  const { store } = stage("iterm2", false);
  const chart = picture("one");
  let shown = false;
  const pane: Pane = { render: (columns) => (shown ? store.rows(chart, columns, 10) : ["a", "b", "c", "d"]) };
  const screen = createScreen({ tty, timers: createFakeTimers(), panes: [pane], graphics: store.graphics });
  screen.start();
  tty.take();
  shown = true;
  screen.now();
  const sent = tty.take();
  expect(sent).toContain("\x1b[K\x1b7\x1b[3A\x1b]1337;");
  expect(sent).not.toContain("\x07\x1b8\x1b[0m\x1b[K");
  expect(store.rows(chart, 10, 10).length).toBe(2);
});

test("a small file that promises too many pixels is no picture", async () => {
  const png = Buffer.alloc(64);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  png.set([8, 6], 24);
  await expect(loadPicture(png, "bomb")).rejects.toThrow();
});
